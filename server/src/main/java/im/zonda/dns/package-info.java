/// Finds the servers of a remote domain in DNS (RFC 6120, section 3.2; XEP-0368). The only place
/// with dnsjava, whose classes are not loaded before [im.zonda.dns.DnsAddresses] is used.
///
/// Answers come from recursive DNS servers. What they say is cached and bounded
/// ([im.zonda.dns.DnsQuestions]); without DNSSEC it is only a hint where to connect to, and the
/// certificate decides.
@NullMarked
package im.zonda.dns;

import org.jspecify.annotations.NullMarked;
