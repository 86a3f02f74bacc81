/// The homes of accounts (RFC 6121, section 8): what is loaded of an account, what the modules of
/// its host have declared, and the registry that finds a home and submits tasks to it.
///
/// ## The way of a stanza
///
/// 1. [im.zonda.home.lifecycle.Sessions] submits a client's stanza to the sender's home as a
///    [im.zonda.home.lifecycle.ReceivedStanza], which is also the origin of all that it causes.
/// 2. There it gets its `from` and an [im.zonda.module.Envelope].
///    [im.zonda.home.delivery.OutboundStanzas]: filters, the sender's own copy in the message log,
///    requests to the own account and to the server.
/// 3. [im.zonda.route.Routes] find the destination of the receiver's domain:
///    [im.zonda.home.account.HostAccounts] for a virtual host,
///    [im.zonda.home.service.ServiceDestination] for a module's own service.
/// 4. [im.zonda.home.delivery.InboundStanzas], at the receiver's home: filters, requests answered
///    on the account's behalf, presence.
/// 5. [im.zonda.home.delivery.MessageDelivery] sends a message to the sessions that must get it,
///    and appends it to the log.
///
/// The envelope is the same object on the whole way unless a filter changes the stanza; no other
/// object is made for a hop but the task at the sender's home.
///
/// ## What may block
///
/// `OutboundStanzas` and `InboundStanzas` say which stanzas may block: IQ requests that the server
/// answers, and presence that changes a roster. Messages and other presence never do, so filters of
/// those and session listeners must not block either.
@NullMarked
package im.zonda.home.account;

import org.jspecify.annotations.NullMarked;
