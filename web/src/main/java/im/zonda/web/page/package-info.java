/// What all pages of a host share: frame, look, languages, markup, forms and files.
@NullMarked
package im.zonda.web.page;

import org.jspecify.annotations.NullMarked;
