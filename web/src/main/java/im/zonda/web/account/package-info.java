/// The pages on which people manage their account, at `/account`: name and picture, password,
/// devices, a copy of all data, deletion.
///
/// What a client may ask or change is asked of the account's home by the same requests that its
/// clients send, so it works at any node of a cluster and changes reach clients and contacts as
/// usual.
@NullMarked
package im.zonda.web.account;

import org.jspecify.annotations.NullMarked;
