// A bundle that is named by its folder or by its archive, for as long as a command looks at it.
import { bundleFolderOf } from '../bundle/archive-read.ts';
import { createScope } from '../model/scope.ts';

/** What was unpacked is gone afterwards. @throws ProblemError what `bundleFolderOf` and the work throw */
export const withBundle = async <T>(path: string, work: (folder: string) => Promise<T>): Promise<T> => {
  const scope = createScope();
  try {
    return await work(await bundleFolderOf(path, scope));
  } finally {
    await scope.close();
  }
};
