/** Serves the files of the trace page: from the folder beside the program, or out of the program. */

import { after, packageFile } from '../../../extending.ts';
import { type Context, HttpProblem, type Reply } from '../../../index.ts';
import { type EmbeddedFiles, EmbeddedFolder, Folder, fileReply, isFileName } from '../../files/files.ts';
import { PAGE_HEADERS } from '../../swagger-page/swagger-page.ts';

/** A name that the build defines, where the files go into the program. */
declare const EMBEDDED_TRACE: EmbeddedFiles | undefined;

/** Makes the function that answers with the file of a name, or throws an `HttpProblem` 404. */
export function pageFiles(): (context: Context, name: string) => Reply | Promise<Reply> {
  const folder =
    typeof EMBEDDED_TRACE === 'undefined'
      ? new Folder(packageFile('static/trace'), { headers: PAGE_HEADERS })
      : new EmbeddedFolder(EMBEDDED_TRACE, { headers: PAGE_HEADERS });
  return (context, name) => {
    const found = isFileName(name) ? folder.find(name) : undefined;
    const reply = after(found, (file) => file && fileReply(context, file, folder.root));
    return after(reply, (made) => {
      if (made === undefined) throw new HttpProblem(404, `The page of the trace has no file "${name}"`);
      return made;
    });
  };
}
