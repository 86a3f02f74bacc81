/// What pages for people are made of, whoever serves them: forms and their tokens, cookies of
/// sessions, languages, files of the program.
@NullMarked
package im.zonda.http.page;

import org.jspecify.annotations.NullMarked;
