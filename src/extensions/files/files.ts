/** Files as replies, and a folder as a site: `todo-item-service/files`. */

export { type EmbeddedFiles, EmbeddedFolder } from './embedded-folder.ts';
export { file } from './file.ts';
export { fileName, isFileName, pathBelow, prefixOf } from './file-name.ts';
export { fileReply } from './file-reply.ts';
export { fileResponses } from './file-responses.ts';
export { type ServedFile, variant } from './file-variant.ts';
export { Folder } from './folder.ts';
export { type StaticFilesOptions, staticFiles } from './static-files.ts';
export { staticSite } from './static-site.ts';
