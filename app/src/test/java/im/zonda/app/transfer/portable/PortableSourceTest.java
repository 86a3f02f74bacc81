package im.zonda.app.transfer.portable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.transfer.Credentials;
import im.zonda.app.transfer.ImportedAccount;
import im.zonda.app.transfer.ImportedMessage;
import im.zonda.app.transfer.ImportedNode;
import im.zonda.app.transfer.RecordingReceiver;
import im.zonda.jid.Jid;
import im.zonda.store.RosterItem;
import im.zonda.store.ScramKeys;
import im.zonda.store.Subscription;
import im.zonda.testkit.FakeClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortableSourceTest {
  private static final String DATA = "<server-data xmlns='urn:xmpp:pie:0'>";
  private static final String HOST = DATA + "<host jid='capulet.com'>";
  private static final String END = "</host></server-data>";

  @TempDir private Path folder;

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private RecordingReceiver read(String text) throws IOException {
    return RecordingReceiver.of(new PortableSource(write("all.xml", text), new FakeClock()));
  }

  private ImportedAccount juliet(String content) throws IOException {
    return read(HOST + "<user name='juliet'>" + content + "</user>" + END)
        .account("juliet@capulet.com");
  }

  /// Section 4.3, with keys that have the right length.
  @Test
  void keysAreTaken() throws IOException {
    String key = Base64.getEncoder().encodeToString(new byte[20]);
    ImportedAccount account =
        juliet(
            """
            <scram-credentials xmlns='urn:xmpp:pie:0#scram' mechanism='SCRAM-SHA-1'>
              <iter-count>100000</iter-count>
              <salt>TmFDbE5hQ2w=</salt>
              <server-key>%s</server-key>
              <stored-key>0pXWGK0GZJ6TR73AIUN3ITYtA1g=</stored-key>
            </scram-credentials>
            """
                .formatted(key));
    ScramKeys keys = ((Credentials.Keys) account.credentials()).keys().getFirst();
    assertThat(keys.hash()).isEqualTo("SHA-1");
    assertThat(keys.iterations()).isEqualTo(100_000);
    assertThat(keys.salt()).asString(StandardCharsets.UTF_8).isEqualTo("NaClNaCl");
    assertThat(keys.serverKey()).isEqualTo(new byte[20]);
    assertThat(keys.storedKey()).hasSize(20);
  }

  @Test
  void thePasswordIsTaken() throws IOException {
    RecordingReceiver read =
        read(HOST + "<user name='romeo' password='R0m30'/><user name='paris'/>" + END);
    assertThat(read.account("romeo@capulet.com").credentials())
        .isEqualTo(new Credentials.Password("R0m30"));
    assertThat(read.account("paris@capulet.com").credentials())
        .isEqualTo(new Credentials.None("the source has no password"));
  }

  /// Openfire writes the name where it knows keys only; everybody could log in with it.
  @Test
  void aPasswordThatIsTheNameIsNotTaken() throws IOException {
    RecordingReceiver read = read(HOST + "<user name='romeo' password='romeo'/>" + END);
    assertThat(read.account("romeo@capulet.com").credentials())
        .isEqualTo(
            new Credentials.None(
                "its password is its name, which Openfire writes if it has only keys"));
  }

  /// As ejabberd wrote them before version 1.1 of the XEP, in its namespace.
  @Test
  void keysInThePasswordAreTaken() throws IOException {
    String key = Base64.getEncoder().encodeToString(new byte[20]);
    String longer = Base64.getEncoder().encodeToString(new byte[32]);
    RecordingReceiver read =
        read(
            """
            <?xml version='1.0'?>
            <server-data xmlns='http://www.xmpp.org/extensions/xep-0227.html#ns'>
            <host jid='a.example'>
            <user name='u' password='scram:%s,%s,c2FsdA==,4096'>
              <query xmlns='jabber:iq:roster'><item jid='x@y.example' subscription='to'/></query>
            </user>
            <user name='v' password='scram:%s,,c2FsdA==,4096'/>
            <user name='w' password='scram:sha256,%s,%s,c2FsdA==,4096'/>
            </host></server-data>
            """
                .formatted(key, key, key, longer, longer));
    ScramKeys keys =
        ((Credentials.Keys) read.account("u@a.example").credentials()).keys().getFirst();
    assertThat(keys.salt()).asString(StandardCharsets.UTF_8).isEqualTo("salt");
    assertThat(keys.iterations()).isEqualTo(4_096);
    assertThat(read.account("u@a.example").roster()).hasSize(1);
    assertThat(read.account("v@a.example").credentials())
        .isEqualTo(new Credentials.None("its keys of SHA-1 do not have 20 bytes"));
    assertThat(((Credentials.Keys) read.account("w@a.example").credentials()).keys())
        .extracting(ScramKeys::hash)
        .containsExactly("SHA-256");
  }

  @Test
  void contactsAndRequestsAreTaken() throws IOException {
    ImportedAccount account =
        juliet(
            """
            <query xmlns='jabber:iq:roster'>
              <item jid='romeo@montague.net' name='Romeo' subscription='both'>
                <group>Friends</group><group>Lovers</group></item>
              <item jid='nurse@capulet.com' subscription='none' ask='subscribe'/>
              <item jid='@@' subscription='both'/>
              <item jid='benvolio@montague.net' subscription='maybe'/>
            </query>
            <presence xmlns='jabber:client' type='subscribe' id='xk3h1v69'
                from='mercutio@montague.net'>
              <nick xmlns='http://jabber.org/protocol/nick'>Mercutio</nick>
            </presence>
            """);
    assertThat(account.roster())
        .extracting(RosterItem::jid)
        .containsExactly(
            Jid.of("romeo@montague.net"),
            Jid.of("nurse@capulet.com"),
            Jid.of("mercutio@montague.net"));
    RosterItem romeo = account.roster().get(0);
    assertThat(romeo.subscription()).isEqualTo(Subscription.BOTH);
    assertThat(romeo.name()).isEqualTo("Romeo");
    assertThat(romeo.groups()).containsExactly("Friends", "Lovers");
    assertThat(account.roster().get(1).ask()).isTrue();
    RosterItem request = account.roster().get(2);
    assertThat(request.listed()).isFalse();
    assertThat(String.valueOf(request.request()))
        .contains("xk3h1v69", "Mercutio", "to='juliet@capulet.com'");
  }

  @Test
  void vcardPrivateXmlAndBlockedAddressesAreTaken() throws IOException {
    ImportedAccount account =
        juliet(
            """
            <vCard xmlns='vcard-temp'><FN>Juliet Capulet</FN></vCard>
            <query xmlns='jabber:iq:private'>
              <exodus xmlns='exodus:prefs'><defaultnick>J</defaultnick></exodus></query>
            <blocklist xmlns='urn:xmpp:blocking'><item jid='paris@capulet.com'/></blocklist>
            <query xmlns='jabber:iq:privacy'>
              <default name='public'/>
              <list name='public'>
                <item type='jid' value='tybalt@example.com' action='deny' order='1'/>
                <item action='allow' order='2'/></list>
              <list name='private'><item action='deny' order='15'/></list>
            </query>
            """);
    assertThat(String.valueOf(account.vcard())).contains("Juliet Capulet");
    assertThat(account.privateXml()).hasSize(1);
    assertThat(account.blocked())
        .containsExactly(Jid.of("paris@capulet.com"), Jid.of("tybalt@example.com"));
  }

  /// Section 4.8.
  @Test
  void nodesAreTaken() throws IOException {
    ImportedAccount account =
        juliet(
            """
            <pubsub xmlns='http://jabber.org/protocol/pubsub'>
              <items node='urn:xmpp:bookmarks:1'>
                <item id='theplay@conference.shakespeare.lit'>
                  <conference xmlns='urn:xmpp:bookmarks:1' name='The Play' autojoin='true'/></item>
                <item id='orchard@conference.shakespeare.lit'>
                  <conference xmlns='urn:xmpp:bookmarks:1' name='The Orchard'/></item>
              </items>
            </pubsub>
            <pubsub xmlns='http://jabber.org/protocol/pubsub#owner'>
              <configure node='urn:xmpp:bookmarks:1'><x xmlns='jabber:x:data' type='form'>
                <field var='FORM_TYPE' type='hidden'><value>other</value></field>
                <field var='pubsub#access_model'><value>whitelist</value></field></x></configure>
              <affiliations node='urn:xmpp:bookmarks:1'>
                <affiliation jid='mercutio@example.net' affiliation='member'/></affiliations>
              <subscriptions node='urn:xmpp:bookmarks:1'>
                <subscription jid='mercutio@example.net' subscription='subscribed'/></subscriptions>
            </pubsub>
            """);
    ImportedNode node = account.nodes().getFirst();
    assertThat(node.options()).containsOnlyKeys("pubsub#access_model");
    assertThat(node.affiliations()).containsEntry(Jid.of("mercutio@example.net"), "member");
    assertThat(node.subscribers()).containsExactly(Jid.of("mercutio@example.net"));
    assertThat(node.items()).hasSize(2);
    assertThat(node.items().get(1).id()).isEqualTo("orchard@conference.shakespeare.lit");
    assertThat(node.items().get(1).payload())
        .asString(StandardCharsets.UTF_8)
        .startsWith("<conference xmlns='urn:xmpp:bookmarks:1'");
  }

  /// Sections 4.5 and 4.9.
  @Test
  void messagesAreTakenWithTheirTimes() throws IOException {
    RecordingReceiver read =
        read(
            HOST
                + """
                <user name='juliet'><offline-messages>
                  <message xmlns='jabber:client' from='romeo@montague.net/orchard'
                      to='juliet@capulet.com/balcony' type='chat'><body>Neither</body>
                    <delay xmlns='urn:xmpp:delay' from='capulet.com'
                      stamp='2009-07-21T00:32:29Z'>Offline Storage</delay></message>
                  <message xmlns='jabber:client' from='@' type='chat'/>
                </offline-messages>
                <archive xmlns='urn:xmpp:pie:0#mam'>
                  <result xmlns='urn:xmpp:mam:2' id='5d398'>
                    <forwarded xmlns='urn:xmpp:forward:0'>
                      <delay xmlns='urn:xmpp:delay' stamp='2010-07-10T23:09:32.5+02:00'/>
                      <message xmlns='jabber:client' to='romeo@montague.lit/orchard'
                         from='juliet@capulet.com/balcony' type='chat' id='8a54s'>
                        <body>What man art thou</body></message></forwarded></result>
                  <result xmlns='urn:xmpp:mam:2'/>
                </archive></user>
                """
                + END);
    List<ImportedMessage> messages =
        read.messages.getOrDefault(Jid.of("juliet@capulet.com"), List.of());
    assertThat(messages).hasSize(2);
    assertThat(messages.get(0).waiting()).isTrue();
    assertThat(messages.get(0).time()).isEqualTo(Instant.parse("2009-07-21T00:32:29Z"));
    assertThat(messages.get(0).with()).isEqualTo(Jid.of("romeo@montague.net/orchard"));
    assertThat(messages.get(1).waiting()).isFalse();
    assertThat(messages.get(1).time()).isEqualTo(Instant.parse("2010-07-10T21:09:32.500Z"));
    assertThat(messages.get(1).with()).isEqualTo(Jid.of("romeo@montague.lit/orchard"));
    assertThat(read.omissions).hasSize(2);
  }

  /// A document as the page of an account writes it.
  @Test
  void ourOwnDocumentIsTaken() throws IOException {
    RecordingReceiver read =
        read(
            """
            <?xml version='1.0' encoding='UTF-8'?>
            <server-data xmlns='urn:xmpp:pie:0'>
            <host jid='a.example'>
            <user name='anna'>
            <query xmlns='jabber:iq:roster'><item jid='b@b.example' subscription='to'/></query>
            <presence xmlns='jabber:client' type='subscribe' from='c@b.example'/>
            <vCard xmlns='vcard-temp'><FN>A</FN></vCard>
            <blocklist xmlns='urn:xmpp:blocking'><item jid='d@b.example'/></blocklist>
            <prefs xmlns='urn:xmpp:mam:2' default='always'><always/><never/></prefs>
            <list xmlns='urn:xmpp:cam:0'/>
            <pubsub xmlns='http://jabber.org/protocol/pubsub#owner'>
            </pubsub>
            <pubsub xmlns='http://jabber.org/protocol/pubsub'>
            </pubsub>
            <files xmlns='urn:zonda:export:0'>
            <file name='a.png' type='image/png' size='5' uploaded='1970-01-01T00:00:09.000Z'/>
            </files>
            <offline-messages>
            <message xmlns='jabber:client' type='chat' from='b@b.example/x' to='anna@a.example'>
              <body>1</body><delay xmlns='urn:xmpp:delay' stamp='2026-01-01T00:00:00.000Z'/></message>
            </offline-messages>
            <archive xmlns='urn:xmpp:pie:0#mam'>
            <result xmlns='urn:xmpp:mam:2' id='x'><forwarded xmlns='urn:xmpp:forward:0'>
              <delay xmlns='urn:xmpp:delay' stamp='2026-01-01T00:00:00.000Z'/>
              <message xmlns='jabber:client' type='chat' from='b@b.example/x' to='anna@a.example'>
              <body>1</body></message></forwarded></result>
            </archive>
            </user>
            </host>
            </server-data>
            """);
    ImportedAccount anna = read.account("anna@a.example");
    assertThat(anna.roster()).hasSize(2);
    assertThat(anna.blocked()).hasSize(1);
    assertThat(read.messages.getOrDefault(anna.jid(), List.of())).hasSize(2);
    assertThat(read.reasons()).contains("1 uploaded files of anna@a.example");
    assertThat(read.omissions).hasSize(1);
  }

  /// Section 5: the layout with a file for each user.
  @Test
  void includedFilesAreRead() throws IOException {
    write("capulet.com.xml", included("host", "jid='capulet.com'", "capulet.com/juliet.xml"));
    write(
        "capulet.com/juliet.xml",
        "<user xmlns='urn:xmpp:pie:0' name='juliet' xmlns:xi='http://www.w3.org/2001/XInclude'>"
            + "<xi:include href='juliet-card.xml'/><query xmlns='jabber:iq:private'>"
            + "<a xmlns='a:b'><xi:include href='../all.xml'/></a></query></user>");
    write("capulet.com/juliet-card.xml", "<vCard xmlns='vcard-temp'><FN>J</FN></vCard>");
    RecordingReceiver read = read(included("server-data", "", "capulet.com.xml"));
    ImportedAccount account = read.account("juliet@capulet.com");
    assertThat(String.valueOf(account.vcard())).contains("<FN>J</FN>");
    assertThat(String.valueOf(account.privateXml().getFirst())).contains("include");
    assertThat(read.omissions).isEmpty();
  }

  private static String included(String element, String attributes, String... files) {
    StringBuilder text = new StringBuilder("<" + element + " xmlns='urn:xmpp:pie:0' " + attributes);
    text.append(" xmlns:xi='http://www.w3.org/2001/XInclude'>");
    for (String file : files) {
      text.append("<xi:include href='").append(file).append("'/>");
    }
    return text.append("</").append(element).append(">").toString();
  }

  @Test
  void includesStayInTheFolder() throws IOException {
    Path outside = Files.createTempFile("outside", ".xml");
    Files.writeString(outside, included("host", "jid='capulet.com'"));
    try {
      Files.createSymbolicLink(folder.resolve("link.xml"), outside);
      RecordingReceiver read =
          read(
              included(
                  "server-data",
                  "",
                  "../x.xml",
                  outside.toString(),
                  "file:" + outside,
                  "http://127.0.0.1:1/x.xml",
                  "%2e%2e/x.xml",
                  "a/../../x.xml",
                  "link.xml",
                  "missing.xml",
                  "all.xml"));
      assertThat(read.accounts).isEmpty();
      assertThat(read.omissions).hasSize(9);
      assertThat(read.reasons()).contains("symbolic link", "leaves the folder", "no file");
    } finally {
      Files.delete(outside);
    }
  }

  /// A user that cannot be used costs itself only.
  @Test
  void damagedUsersAreLeftOut() throws IOException {
    String deep = "<a>".repeat(200) + "</a>".repeat(200);
    String large = "x".repeat(9 << 20);
    RecordingReceiver read =
        read(
            HOST
                + "<user/><user name='a/b@c'/><user name='\u202e\u0007'/>".replace("\u0007", "")
                + "<user name='deep'><vCard xmlns='vcard-temp'>"
                + deep
                + "</vCard></user>"
                + "<user name='large'><vCard xmlns='vcard-temp'><FN>"
                + large
                + "</FN></vCard></user><user name='last'/>"
                + END);
    assertThat(read.accounts.keySet())
        .containsExactly(
            Jid.of("deep@capulet.com"), Jid.of("large@capulet.com"), Jid.of("last@capulet.com"));
    assertThat(read.account("deep@capulet.com").vcard()).isNull();
    assertThat(read.account("large@capulet.com").vcard()).isNull();
    assertThat(read.omissions).hasSize(5);
  }

  @Test
  void whatIsNotXmlIsAnErrorWithItsLine() throws IOException {
    assertThatThrownBy(() -> read(HOST + "<user name='a'/>\n\n<user name='b'></host>"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("all.xml:3: the XML is damaged");
    Path invalid = folder.resolve("invalid.xml");
    Files.write(invalid, (HOST + "<user name='\u00e9'/>").getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> RecordingReceiver.of(new PortableSource(invalid, new FakeClock())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("invalid.xml");
    assertThatThrownBy(() -> read("<?xml version='1.1'?>" + DATA + "</server-data>"))
        .hasMessageContaining("XML 1.1");
    assertThatThrownBy(() -> read("<data/>")).hasMessageContaining("<server-data/> expected");
  }

  @Test
  void documentTypesAndEntitiesAreNotAllowed() throws IOException {
    String bomb =
        "<!DOCTYPE d [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]>"
            + HOST
            + "<user name='&b;'/>"
            + END;
    assertThatThrownBy(() -> read(bomb)).isInstanceOf(IOException.class);
    String file = "<!DOCTYPE d SYSTEM 'file:///etc/passwd'>" + HOST + END;
    assertThatThrownBy(() -> read(file)).hasMessageContaining("document types and entities");
    assertThatThrownBy(() -> read(HOST + "<user name='x'>&undefined;</user>" + END))
        .isInstanceOf(IOException.class);
  }
}
