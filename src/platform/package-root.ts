/**
 * Where the package lies, compiled or not. Enters: the URL of a module of ours. Leaves: a folder.
 * Never: a guess by the working directory, which belongs to the user.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assert } from './assert.js';

/** The nearest folder above the module that holds package.json. */
export function packageRoot(moduleUrl: string): string {
  let dir = dirname(fileURLToPath(moduleUrl));
  while (!existsSync(join(dir, 'package.json'))) {
    assert(dir !== dirname(dir), 'the module lies below a package.json');
    dir = dirname(dir);
  }
  return dir;
}
