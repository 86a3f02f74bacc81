/// Common parts of the pages of a host: frame, look, languages, markup, forms and files.
@NullMarked
package im.zonda.web.page;

import org.jspecify.annotations.NullMarked;
