// Where a cell stands on the axes along which systems vary: versions, settings, defects, runtimes. An axis of a scenario's own
// matrix is none of these; it is part of the scenario.

/** Axis to value: `{ version: '1.2', starlette: '0.40.0', 'setting.lifetime': '5s', defect: 'none', runtime: 'docker' }`. */
export type Coordinates = Readonly<Record<string, string>>;

/** Axes that every card has, where it has what they vary; `setting.<name>` beside them. */
export const COMMON_AXES = ['version', 'defect', 'runtime'] as const;
export const SETTING_AXIS = 'setting.';

/** Values become parts of ids, which become names of folders. */
export const AXIS_VALUE = /^[A-Za-z0-9][^\s,[\]=]{0,99}$/;

/** Values are parts of ids: what ends one there is written as a hyphen. */
const valueText = (value: string): string => value.replace(/[\s,[\]=]+/g, '-');

/** `version=1.2,starlette=0.40.0`; '' for none. */
export const coordinatesText = (coordinates: Coordinates): string =>
  Object.entries(coordinates)
    .map(([axis, value]) => `${axis}=${valueText(value)}`)
    .join(',');

/** `disconnect/endless[how=fin,version=1.2]`: the id of a scenario, with what it has no axis of its own for. */
export const withCoordinates = (id: string, coordinates: Coordinates): string => {
  const text = coordinatesText(coordinates);
  if (text === '') return id;
  return id.endsWith(']') ? `${id.slice(0, -1)},${text}]` : `${id}[${text}]`;
};

/** Those of these names, in the order in which they are given there. */
export const onlyAxes = (coordinates: Coordinates, wanted: (axis: string) => boolean): Coordinates =>
  Object.fromEntries(Object.entries(coordinates).filter(([axis]) => wanted(axis)));
