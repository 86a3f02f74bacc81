/// Contact addresses of the server (XEP-0157).
@NullMarked
package im.zonda.module.contact;

import org.jspecify.annotations.NullMarked;
