// Where files of a machine lie, below its root. Paths of requests (`/v1/chat`) and keys in base64 (`/JalrXUt...`) begin alike, so that
// not everything that begins with a slash can be a path.

/** Folders in which people and what they have installed have their files. */
export const MACHINE_ROOTS: readonly string[] = [
  'home', 'root', 'tmp', 'usr', 'opt', 'var', 'etc', 'srv', 'mnt', 'nix', 'private', 'Users', 'Volumes',
];
