/// Avatars: those of publish-subscribe (XEP-0084) and of vCards (XEP-0153) are one (XEP-0398).
@NullMarked
package im.zonda.module.avatar;

import org.jspecify.annotations.NullMarked;
