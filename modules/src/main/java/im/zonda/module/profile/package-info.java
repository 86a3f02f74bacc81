/// Profiles of users in nodes of their accounts: vCard4 (XEP-0292) and microblogs (XEP-0277).
@NullMarked
package im.zonda.module.profile;

import org.jspecify.annotations.NullMarked;
