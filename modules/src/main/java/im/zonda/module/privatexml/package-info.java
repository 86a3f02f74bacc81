/// What a client keeps at the server for itself (XEP-0049).
@NullMarked
package im.zonda.module.privatexml;

import org.jspecify.annotations.NullMarked;
