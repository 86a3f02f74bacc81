package im.zonda.app.clients;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.TrustAll;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jivesoftware.smack.ConnectionConfiguration.SecurityMode;
import org.jivesoftware.smack.ReconnectionManager;
import org.jivesoftware.smack.chat2.Chat;
import org.jivesoftware.smack.chat2.ChatManager;
import org.jivesoftware.smack.packet.Message;
import org.jivesoftware.smack.packet.Presence;
import org.jivesoftware.smack.roster.PresenceEventListener;
import org.jivesoftware.smack.roster.Roster;
import org.jivesoftware.smack.roster.RosterEntry;
import org.jivesoftware.smack.roster.packet.RosterPacket;
import org.jivesoftware.smack.tcp.XMPPTCPConnection;
import org.jivesoftware.smack.tcp.XMPPTCPConnectionConfiguration;
import org.jivesoftware.smackx.bookmarks.BookmarkManager;
import org.jivesoftware.smackx.disco.ServiceDiscoveryManager;
import org.jivesoftware.smackx.iqlast.LastActivityManager;
import org.jivesoftware.smackx.iqprivate.PrivateDataManager;
import org.jivesoftware.smackx.iqregister.AccountManager;
import org.jivesoftware.smackx.iqversion.VersionManager;
import org.jivesoftware.smackx.ping.PingManager;
import org.jivesoftware.smackx.time.EntityTimeManager;
import org.jivesoftware.smackx.vcardtemp.VCardManager;
import org.jivesoftware.smackx.vcardtemp.packet.VCard;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.jxmpp.jid.BareJid;
import org.jxmpp.jid.DomainBareJid;
import org.jxmpp.jid.EntityBareJid;
import org.jxmpp.jid.FullJid;
import org.jxmpp.jid.Jid;
import org.jxmpp.jid.impl.JidCreate;
import org.jxmpp.jid.parts.Localpart;

/// What people do with a client, done with the Smack library as it is.
@Timeout(60)
class SmackTest {
  private final List<XMPPTCPConnection> connections = new ArrayList<>();
  private ServerPlan plan;
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path data) throws Exception {
    plan = ServerPlan.of(StandardModules::create).withData(data).with("registration.enabled", true);
    server = plan.startOnSockets();
    server.accounts(List.of("romeo@example.org", "juliet@example.org"));
  }

  @AfterEach
  void stop() {
    connections.forEach(XMPPTCPConnection::disconnect);
    server.close();
  }

  @Test
  void logsInWithStarttlsAndScram() throws Exception {
    XMPPTCPConnection romeo = login("romeo", "garden");

    assertThat(romeo.isSecureConnection()).isTrue();
    assertThat(romeo.isAuthenticated()).isTrue();
    assertThat(romeo.getUsedSaslMechansism()).startsWith("SCRAM-SHA-1");
    assertThat(romeo.getUser().toString()).isEqualTo("romeo@example.org/garden");
  }

  @Test
  void chats() throws Exception {
    XMPPTCPConnection romeo = login("romeo", "garden");
    XMPPTCPConnection juliet = login("juliet", "balcony");
    BlockingQueue<String> heard = bodies(juliet);
    BlockingQueue<String> answers = bodies(romeo);

    chat(romeo, "juliet").send("art thou not Romeo & a \"Montague\" <3 \u2764 \uD83D\uDE00?");
    assertThat(take(heard))
        .isEqualTo("art thou not Romeo & a \"Montague\" <3 \u2764 \uD83D\uDE00?");
    chat(juliet, "romeo").send("neither");
    assertThat(take(answers)).isEqualTo("neither");
  }

  @Test
  void becomesAContactAndSeesPresence() throws Exception {
    XMPPTCPConnection romeo = connect("romeo", "garden");
    XMPPTCPConnection juliet = connect("juliet", "balcony");
    Roster.getInstanceFor(romeo).setSubscriptionMode(Roster.SubscriptionMode.accept_all);
    Roster.getInstanceFor(juliet).setSubscriptionMode(Roster.SubscriptionMode.accept_all);
    BlockingQueue<String> seenByRomeo = presences(romeo);
    BlockingQueue<String> seenByJuliet = presences(juliet);
    romeo.login();
    juliet.login();

    Roster.getInstanceFor(romeo)
        .createItemAndRequestSubscription(bare("juliet"), "Juliet", new String[] {"Friends"});
    assertThat(take(seenByRomeo)).isEqualTo("subscribed juliet@example.org");
    assertThat(take(seenByRomeo)).isEqualTo("available juliet@example.org/balcony");

    Roster.getInstanceFor(juliet).createItemAndRequestSubscription(bare("romeo"), "Romeo", null);
    assertThat(take(seenByJuliet)).isEqualTo("subscribed romeo@example.org");
    assertThat(take(seenByJuliet)).isEqualTo("available romeo@example.org/garden");
    Roster.getInstanceFor(romeo).reloadAndWait();
    RosterEntry entry = Roster.getInstanceFor(romeo).getEntry(bare("juliet"));
    assertThat(entry.getType()).isEqualTo(RosterPacket.ItemType.both);
    assertThat(entry.getName()).isEqualTo("Juliet");
    assertThat(entry.getGroups()).extracting("name").containsExactly("Friends");

    juliet.disconnect();
    assertThat(take(seenByRomeo)).isEqualTo("unavailable juliet@example.org/balcony");
  }

  @Test
  void getsWhatWasSentWhileAwayAlsoAfterARestart() throws Exception {
    XMPPTCPConnection romeo = login("romeo", "garden");
    for (int i = 0; i < 20; i++) {
      chat(romeo, "juliet").send("message " + i);
    }
    PingManager.getInstanceFor(romeo).pingMyServer();
    romeo.disconnect();
    server.close();
    server = plan.startOnSockets();

    XMPPTCPConnection juliet = connect("juliet", "balcony");
    BlockingQueue<String> heard = bodies(juliet);
    juliet.login();
    List<String> bodies = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      bodies.add(take(heard));
    }
    assertThat(bodies).isEqualTo(IntStream.range(0, 20).mapToObj(i -> "message " + i).toList());
    PingManager.getInstanceFor(juliet).pingMyServer();
    assertThat(heard).isEmpty();
  }

  @Test
  void asksTheServer() throws Exception {
    XMPPTCPConnection romeo = login("romeo", "garden");
    DomainBareJid domain = JidCreate.domainBareFrom("example.org");

    assertThat(PingManager.getInstanceFor(romeo).pingMyServer()).isTrue();
    assertThat(VersionManager.getInstanceFor(romeo).getVersion(domain).getName())
        .isEqualTo("Zonda");
    var info = ServiceDiscoveryManager.getInstanceFor(romeo).discoverInfo(domain);
    assertThat(info.hasIdentity("server", "im")).isTrue();
    assertThat(info.containsFeature("urn:xmpp:ping")).isTrue();
    assertThat(ServiceDiscoveryManager.getInstanceFor(romeo).discoverItems(domain).getItems())
        .extracting(item -> item.getEntityID().toString())
        .startsWith("rooms.example.org", "pubsub.example.org");
    assertThat(EntityTimeManager.getInstanceFor(romeo).getTime(domain).getZonedDateTime())
        .isNotNull();
    assertThat(LastActivityManager.getInstanceFor(romeo).getLastActivity(domain).getIdleTime())
        .isNotNegative();
  }

  @Test
  void keepsVcardAndPrivateData() throws Exception {
    XMPPTCPConnection romeo = login("romeo", "garden");
    XMPPTCPConnection juliet = login("juliet", "balcony");
    VCard card = new VCard();
    card.setFirstName("Romeo");
    card.setNickName("Montague");
    VCardManager.getInstanceFor(romeo).saveVCard(card);

    VCard seen = VCardManager.getInstanceFor(juliet).loadVCard(bare("romeo"));
    assertThat(seen.getFirstName()).isEqualTo("Romeo");
    assertThat(seen.getNickName()).isEqualTo("Montague");

    assertThat(PrivateDataManager.getInstanceFor(romeo).isSupported()).isIn(true, false);
    BookmarkManager bookmarks = BookmarkManager.getBookmarkManager(romeo);
    bookmarks.addBookmarkedURL("https://example.org/", "home", false);
    assertThat(BookmarkManager.getBookmarkManager(romeo).getBookmarkedURLs()).hasSize(1);
  }

  @Test
  void registersAndRemovesAnAccount() throws Exception {
    XMPPTCPConnection fresh = connect(null, null);
    AccountManager accounts = AccountManager.getInstance(fresh);
    assertThat(accounts.supportsAccountCreation()).isTrue();
    accounts.createAccount(Localpart.from("mercutio"), "the first password");
    fresh.disconnect();

    XMPPTCPConnection mercutio = connect("mercutio", "street");
    mercutio.login("mercutio", "the first password");
    AccountManager.getInstance(mercutio).changePassword("another password");
    mercutio.disconnect();
    server.login(Login.of("mercutio@example.org/x", "another password")).close();
  }

  private XMPPTCPConnection login(String user, String resource) throws Exception {
    XMPPTCPConnection connection = connect(user, resource);
    connection.login();
    return connection;
  }

  private XMPPTCPConnection connect(@Nullable String user, @Nullable String resource)
      throws Exception {
    var address = server.address(Login.Security.STARTTLS);
    XMPPTCPConnectionConfiguration.Builder builder =
        XMPPTCPConnectionConfiguration.builder()
            .setXmppDomain("example.org")
            .setHostAddress(address.getAddress())
            .setPort(address.getPort())
            .setSecurityMode(SecurityMode.required)
            .setCustomX509TrustManager(TrustAll.manager())
            .setHostnameVerifier((host, session) -> true);
    if (user != null) {
      builder.setUsernameAndPassword(user, TestServer.PASSWORD).setResource(resource);
    }
    XMPPTCPConnection connection = new XMPPTCPConnection(builder.build());
    connection.setReplyTimeout(15_000);
    ReconnectionManager.getInstanceFor(connection).disableAutomaticReconnection();
    connections.add(connection);
    connection.connect();
    return connection;
  }

  private static Chat chat(XMPPTCPConnection connection, String with) throws Exception {
    return ChatManager.getInstanceFor(connection).chatWith(bare(with));
  }

  private static EntityBareJid bare(String user) throws Exception {
    return JidCreate.entityBareFrom(user + "@example.org");
  }

  private static BlockingQueue<String> bodies(XMPPTCPConnection connection) {
    BlockingQueue<String> bodies = new LinkedBlockingQueue<>();
    ChatManager.getInstanceFor(connection)
        .addIncomingListener(
            (EntityBareJid from, Message message, Chat chat) -> bodies.add(message.getBody()));
    return bodies;
  }

  private static BlockingQueue<String> presences(XMPPTCPConnection connection) {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    Roster.getInstanceFor(connection)
        .addPresenceEventListener(
            new PresenceEventListener() {
              @Override
              public void presenceAvailable(FullJid address, Presence presence) {
                if (!address.equals(connection.getUser())) {
                  seen.add("available " + address);
                }
              }

              @Override
              public void presenceUnavailable(FullJid address, Presence presence) {
                seen.add("unavailable " + address);
              }

              @Override
              public void presenceError(Jid address, Presence presence) {
                seen.add("error " + address);
              }

              @Override
              public void presenceSubscribed(BareJid address, Presence presence) {
                seen.add("subscribed " + address);
              }

              @Override
              public void presenceUnsubscribed(BareJid address, Presence presence) {
                seen.add("unsubscribed " + address);
              }
            });
    return seen;
  }

  private static String take(BlockingQueue<String> queue) throws InterruptedException {
    String taken = queue.poll(15, TimeUnit.SECONDS);
    assertThat(taken).as("something within 15 s").isNotNull();
    return taken;
  }
}
