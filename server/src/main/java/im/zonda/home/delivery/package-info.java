/// Stanzas at the homes of accounts: those that clients send, those that arrive for accounts, and
/// the messages that wait in the log until a session takes them (RFC 6121, section 8.5).
@NullMarked
package im.zonda.home.delivery;

import org.jspecify.annotations.NullMarked;
