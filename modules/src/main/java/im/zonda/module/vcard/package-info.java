/// vCards of accounts (XEP-0054).
@NullMarked
package im.zonda.module.vcard;

import org.jspecify.annotations.NullMarked;
