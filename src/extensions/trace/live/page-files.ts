/** Serves the files of the trace page: from the folder beside the program, or out of the program. */

import { packageFile } from '../../../core/application/package-file.ts';
import { after } from '../../../core/message/after.ts';
import type { Context, Reply } from '../../../core/message/context.ts';
import { HttpProblem } from '../../../core/message/problem.ts';
import { type EmbeddedFiles, EmbeddedFolder } from '../../files/embedded-folder.ts';
import { isFileName } from '../../files/file-name.ts';
import { fileReply } from '../../files/file-reply.ts';
import { Folder } from '../../files/folder.ts';
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
