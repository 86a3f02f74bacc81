/// Accounts of a directory (LDAP, RFC 4511), such as OpenLDAP or Active Directory.
///
/// A login is a search for one entry by the directory's own name of the server, and a bind by the
/// entry's DN with the password that came, on another connection. Values are never put into the
/// text of a filter or of a DN. Referrals are not followed.
@NullMarked
package im.zonda.provider.ldap;

import org.jspecify.annotations.NullMarked;
