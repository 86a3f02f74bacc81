/// Private XML storage (XEP-0049).
@NullMarked
package im.zonda.module.privatexml;

import org.jspecify.annotations.NullMarked;
