package im.zonda.home.remote;

import im.zonda.jid.Jid;
import im.zonda.jid.RegistrableDomain;
import im.zonda.link.ServerStreamLink;
import im.zonda.module.Envelope;
import im.zonda.route.Routes;
import im.zonda.session.ClientNetwork;
import java.net.InetAddress;

/// The party to which a stanza that waits for another server, or a pair of domains, is charged.
/// When a shared bound is reached, the payer who uses most of it loses stanzas or pairs.
sealed interface Payer {
  /// An account, a guest, a room or another service's address; a component, which invents its
  /// addresses, as its whole domain; the domain above those of a server that uses another one's
  /// rooms here, or that connects through a proxy on this machine.
  record Sender(Jid address) implements Payer {}

  /// The network of a server that has opened a stream.
  record Network(ClientNetwork network) implements Payer {}

  /// The payer of a stanza for another server.
  static Payer of(Envelope envelope, Routes routes) {
    Jid author = envelope.author();
    Jid sender = author == null ? envelope.stanza().from() : author;
    if (sender == null) {
      throw new IllegalArgumentException("a stanza for another server has a sender");
    }
    if (!routes.isServed(sender.domain())) {
      return new Sender(Jid.of(RegistrableDomain.of(sender.domain())));
    }
    boolean one = sender.local() != null && routes.to(sender).inventsAddresses();
    return new Sender(one ? Jid.of(sender.domain()) : sender.bare());
  }

  /// The payer of a pair whose stream that server has opened.
  static Payer of(ServerStreamLink.Status status, String remote) {
    try {
      InetAddress address = InetAddress.ofLiteral(status.address());
      if (!address.isLoopbackAddress()) {
        return new Network(ClientNetwork.of(address));
      }
    } catch (IllegalArgumentException e) {
      // An address with a scope that this machine no longer has.
    }
    return new Sender(Jid.of(RegistrableDomain.of(remote)));
  }
}
