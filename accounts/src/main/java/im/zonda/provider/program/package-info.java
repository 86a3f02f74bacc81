/// Accounts of a program that answers by the extauth protocol of ejabberd: a question is two bytes
/// of length, highest first, and `operation:user:server[:value]` in UTF-8; the answer is `00 02 00
/// 01` for yes and `00 02 00 00` for no.
///
/// `auth`, `isuser` and `setpass` are asked. `tryregister`, `removeuser`, `removeuser3` and
/// `certauth` are not.
@NullMarked
package im.zonda.provider.program;

import org.jspecify.annotations.NullMarked;
