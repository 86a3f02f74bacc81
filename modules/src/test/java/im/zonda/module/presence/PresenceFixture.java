package im.zonda.module.presence;

import static im.zonda.module.testing.TestXml.presence;

import im.zonda.jid.Jid;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestHome;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.store.RosterItem;
import im.zonda.store.Subscription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Roster and presence in one small server.
final class PresenceFixture {
  final TestContext context = new TestContext();
  final RosterModule roster = new RosterModule();
  final PresenceModule presence = new PresenceModule(roster);

  PresenceFixture() {
    context.install(roster, presence);
  }

  /// A session that has asked for the roster and says nothing more.
  TestSession connects(String full) {
    TestSession session = context.bind(full);
    sends(session, "<iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>");
    session.takeReceived();
    return session;
  }

  /// A session that is available as well; the stanzas that it got until then are discarded.
  TestSession online(String full) {
    TestSession session = connects(full);
    sends(session, "<presence/>");
    session.takeReceived();
    return session;
  }

  void sends(TestSession session, String xml) {
    context.fromClient(session, TestXml.stanza(xml));
  }

  /// A stanza from elsewhere arrives, and all that follows from it.
  void arrives(String xml) {
    context.arrives(presence(xml));
  }

  void holds(String owner, String contact, Subscription subscription) {
    holds(owner, contact, subscription, false, false);
  }

  void holds(
      String owner, String contact, Subscription subscription, boolean ask, boolean request) {
    TestHome home = context.account(owner);
    roster
        .rosters()
        .put(
            home,
            new RosterItem(
                Jid.of(contact),
                null,
                subscription,
                ask,
                false,
                List.of(),
                request ? presence("<presence type='subscribe' from='" + contact + "'/>") : null,
                true));
  }

  @Nullable RosterItem item(String owner, String contact) {
    return roster.rosters().of(context.home(Jid.of(owner))).find(Jid.of(contact));
  }
}
