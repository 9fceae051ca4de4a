/** Tests which links of a page get the prefix (D18). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefixRelativeLinks } from '../../../src/plugins/swagger-page/vendored-page.ts';

for (const [before, after, because] of [
  ['<link href="a.css">', '<link href="ui/a.css">', 'double quotes'],
  ["<link href='a.css'>", "<link href='ui/a.css'>", 'single quotes'],
  ['<link href=a.css>', '<link href=ui/a.css>', 'no quotes'],
  ['<link href=a.css/>', '<link href=ui/a.css/>', 'no quotes before a slash: it belongs to the link'],
  ['<script src="./x/a.js"></script>', '<script src="ui/x/a.js"></script>', 'from the folder on'],
  ['<IMG SRC="A.png">', '<IMG SRC="ui/A.png">', 'capitals'],
  ['<link rel=stylesheet href = "a.css" >', '<link rel=stylesheet href = "ui/a.css" >', 'blanks around the sign'],
  ['<a href="a.html"><img src="b.png"></a>', '<a href="ui/a.html"><img src="ui/b.png"></a>', 'several on a line'],
  ['<a href="/rooted">', '<a href="/rooted">', 'rooted'],
  ['<a href="//host/a">', '<a href="//host/a">', 'on another host'],
  ['<img src="data:image/png;base64,AA==">', '<img src="data:image/png;base64,AA==">', 'data'],
  ['<a href="#top">', '<a href="#top">', 'within the page'],
  ['<a href="?a=b">', '<a href="?a=b">', 'a query of the page'],
  ['<a href="">', '<a href="">', 'the page itself'],
  ['<a href="\\rooted">', '<a href="\\rooted">', 'a backslash is a slash to browsers'],
  ['<a data-href="a" hrefs="b" xsrc="c">', '<a data-href="a" hrefs="b" xsrc="c">', 'attributes that only look alike'],
  ['<p>ä € 🙂</p><img src="ä.png">', '<p>ä € 🙂</p><img src="ui/ä.png">', 'letters beyond ASCII'],
  ['1 < 2 <img src=a.png>', '1 < 2 <img src=ui/a.png>', 'a sign that does not open a tag'],
  ['<img src=><img src=b.png>', '<img src=><img src=ui/b.png>', 'no value'],
] as const) {
  test(`D18 – ${before.replace(/\n/g, ' ') || 'nothing'} at the address without the slash (${because})`, () => {
    assert.equal(Buffer.from(prefixRelativeLinks(Buffer.from(before), 'ui/')).toString(), after);
  });
}

test('D18 – a page in another encoding keeps its bytes', () => {
  const page = Buffer.from([0x3c, 0x70, 0x3e, 0xe4, 0xff, 0x00, 0x80]);
  assert.deepEqual(Buffer.from(prefixRelativeLinks(page, 'ui/')), page);
});
