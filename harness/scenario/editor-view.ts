// What an editor is told of a schema whose parsing is a function, which JSON Schema cannot express.
// Lazy, because most runs of the command never ask.
import { z } from 'zod';

type View = { readonly view: () => object };

const views = z.registry<View>();

/** Attaches the JSON Schema of what may be written. Returns the schema itself. */
export const withEditorView = <S extends z.ZodType>(schema: S, view: () => object): S => {
  views.add(schema, { view });
  return schema;
};

const withoutDialect = ({ $schema, ...rest }: Record<string, unknown>): object => rest;

/** The JSON Schema (draft-07) of what a person may write for this schema. */
export const editorViewOf = (schema: z.ZodType): object =>
  withoutDialect(
    z.toJSONSchema(schema, {
      target: 'draft-7',
      io: 'input',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const view = views.get(zodSchema);
        if (view) Object.assign(jsonSchema, view.view());
      },
    }),
  );
