// Which process of the system a fault is about.
import type { Facts } from '../model/facts.ts';
import { instancesOf } from '../model/facts.ts';
import type { Field, Options } from '../model/fields.ts';

export const INSTANCE: Field = { type: 'instance', about: 'Which instance of the system.', default: 1 };

/** @throws Error where there is no such instance */
export const processOf = (facts: Facts, options: Options): string => {
  const instances = instancesOf(facts);
  const number = Number(options.instance ?? 1);
  const process = instances[number - 1]?.process;
  if (process === undefined) throw new Error(`there is no instance ${number} of ${instances.length}`);
  return process;
};
