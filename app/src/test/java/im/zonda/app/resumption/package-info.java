/// Sessions that outlive their streams, asked of a whole server (XEP-0198, XEP-0352).
@NullMarked
package im.zonda.app.resumption;

import org.jspecify.annotations.NullMarked;
