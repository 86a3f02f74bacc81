/// Parts of pages for people: forms and their tokens, cookies of sessions, languages, files of the
/// program.
@NullMarked
package im.zonda.http.page;

import org.jspecify.annotations.NullMarked;
