/// Push notifications: the push services of clients learn that messages wait (XEP-0357).
///
/// Everything of an account happens at its home. [Registrations] holds what its clients have
/// enabled, [Notable] says which messages count, [Publishing] sends the notifications.
@NullMarked
package im.zonda.module.push;

import org.jspecify.annotations.NullMarked;
