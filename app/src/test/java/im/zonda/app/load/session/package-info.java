/// Sessions that are cut off, detached and resumed (XEP-0198).
@NullMarked
package im.zonda.app.load.session;

import org.jspecify.annotations.NullMarked;
