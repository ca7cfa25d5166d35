// The environment for a program that works in another folder than the one from which hangup was called: git itself, builds, installs.
// `git bisect run` in a linked work tree, hooks, `git rebase -x` and `!` aliases say in it which repository they are about, and to
// git that counts more than `-C`: a fetch into a clone in the cache would replace the branches of whoever called.

/**
 * What `git rev-parse --local-env-vars` lists (git 2.39, environment.c: `local_repo_env`), but `GIT_CONFIG_PARAMETERS` and
 * `GIT_CONFIG_COUNT`. Those hold what somebody gave by `git -c` or in the environment of a CI job: passwords, `safe.directory`,
 * proxies. They are of whoever calls and not of a repository, and git hands them on where it goes to another repository itself
 * (run-command.c: `prepare_other_repo_env`) and takes away all the others.
 */
export const REPOSITORY_VARIABLES: readonly string[] = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
  // Not listed, and yet of one push into one repository: in its hooks git writes no reference of any other (git-receive-pack(1)).
  'GIT_QUARANTINE_PATH',
];

/** A copy that names no repository. */
export const withoutRepository = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !REPOSITORY_VARIABLES.includes(name)));
