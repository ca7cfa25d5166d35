// For the tests beside it: wheels of nothing but one module, as PyPI would give them; pip takes them from their folder.
import { execFileSync } from 'node:child_process';

/** `needs`: what METADATA says beside name and version, such as `Requires-Dist: hangup-other`. */
export type Wheel = { readonly name: string; readonly version: string; readonly needs?: string };

const WRITE = [
  'import json, sys, zipfile',
  'for wheel in json.loads(sys.argv[2]):',
  '  name = wheel["name"].replace("-", "_")',
  '  info = f"{name}-{wheel[\'version\']}.dist-info/"',
  '  with zipfile.ZipFile(f"{sys.argv[1]}/{name}-{wheel[\'version\']}-py3-none-any.whl", "w") as file:',
  '    file.writestr(f"{name}.py", "WORD = \'installed\'\\n")',
  '    file.writestr(info + "METADATA", f"Metadata-Version: 2.1\\nName: {wheel[\'name\']}\\nVersion: {wheel[\'version\']}\\n{wheel.get(\'needs\', \'\')}\\n")',
  '    file.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")',
  '    file.writestr(info + "RECORD", "")',
];

/** Written into the folder, each as `name_with_underscores-version-py3-none-any.whl`. */
export const writeWheels = (folder: string, wheels: readonly Wheel[]): void => {
  execFileSync('python3', ['-c', WRITE.join('\n'), folder, JSON.stringify(wheels)]);
};
