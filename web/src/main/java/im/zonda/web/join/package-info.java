/// The pages by which people get an account: registration and invitations (XEP-0401).
@NullMarked
package im.zonda.web.join;

import org.jspecify.annotations.NullMarked;
