/// Pages for people: the start page with the public rooms, the page of an invitation, and the chat
/// in the browser (converse.js).
///
/// Pages are made on the server and need no JavaScript, except the chat. [Markup] escapes every
/// value; the `Content-Security-Policy` of a page allows nothing but this server's own files. Texts
/// are in `page/texts_<language>.properties`.
@NullMarked
package im.zonda.web;

import org.jspecify.annotations.NullMarked;
