package im.zonda.app.browser;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Every name that a stranger can choose is hostile: they are planted through XMPP and HTTP, and
/// then every page of the console is read, those of all operations too.
///
/// A name has a word of its own in it, so that it is known where it was shown: a name that no page
/// shows any longer proves nothing.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class HostileNamesIT {
  private static final String ROOM = "hall@rooms.localhost";
  private static final String EVIL = "evil.example";

  /// What follows the word in each name. A text in the middle of a page, an attribute in quotes of
  /// either kind, a script, a style, a comment, a title and a template are left by it.
  private static final String ATTACK =
      "\"'><img src=x onerror=taken=1><script>taken=1</script></title></textarea></style>"
          + "--><a href='javascript:taken=1'>x</a><svg/onload=taken=1>${99991*99989}{{99991*99989}}";

  /// The same where names are limited.
  private static final String SHORT = "\"'><img src=x onerror=taken=1>";

  /// Changes the direction of what follows, and controls a terminal; not allowed in resources and
  /// nicknames anyway.
  private static final String BIDI = "\u202eevil\u2066\u0085";

  /// The words of names that at least one page shows.
  private static final List<String> SHOWN =
      List.of(
          ("resource status contact group report node nick roomname roomdesc subject reason file"
                  + " software device tag stanza bounced remote search filter")
              .split(" "));

  /// What must be nowhere in the source of a page.
  private static final List<String> RAW =
      List.of(
          "<img src=x",
          "<script>taken",
          "<svg/onload",
          "<a href='javascript",
          "\u202e",
          "\u2066",
          "\u0085",
          "9998000099");

  /// Whether anything of it has become more than text.
  private static final String TAKEN =
      """
      String(window.taken !== undefined
        || document.querySelector('img[src="x"], iframe, object, [onerror], [onload]') !== null
        || document.querySelector('a[href^="javascript" i]') !== null
        || document.querySelector('script:not([src^="/admin/"])') !== null
        || document.title.length > 3000)
      """;

  /// How many pages are read at the same time.
  private static final int AT_A_TIME = 12;

  private final List<AutoCloseable> open = new ArrayList<>();
  private ProductInBrowser product;
  private ProductServer server;
  private Chromium browser;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    ServerSocket remote = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    open.add(remote);
    Thread.ofPlatform().daemon().start(() -> refuse(remote));
    product =
        ProductInBrowser.start(
            folder,
            List.of("alice", "carol"),
            """
            services.administration.admins = ["alice@localhost"]
            s2s.enabled = true
            s2s.listen = ["127.0.0.1:0"]
            s2s.listen-tls = []
            s2s.route."%s" = "127.0.0.1:%d"
            """
                .formatted(EVIL, remote.getLocalPort()));
    server = product.server();
    browser = product.browser();
  }

  @AfterAll
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    if (product != null) {
      product.close();
    }
  }

  /// Another server that refuses streams with a text of its own.
  private static void refuse(ServerSocket listening) {
    try {
      while (true) {
        try (Socket socket = listening.accept()) {
          socket
              .getOutputStream()
              .write(
                  ("<stream:stream xmlns='jabber:server' xmlns:stream="
                          + "'http://etherx.jabber.org/streams' version='1.0' id='1' from='"
                          + EVIL
                          + "'><stream:error><policy-violation xmlns="
                          + "'urn:ietf:params:xml:ns:xmpp-streams'/><text xmlns="
                          + "'urn:ietf:params:xml:ns:xmpp-streams'>"
                          + xml(hostile("remote") + BIDI)
                          + "</text></stream:error></stream:stream>")
                      .getBytes(StandardCharsets.UTF_8));
          socket.shutdownOutput();
          socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        }
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  private static String hostile(String word) {
    return "planted" + word + ATTACK;
  }

  private static String xml(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace("'", "&apos;")
        .replace("\"", "&quot;");
  }

  private static String planted(String word) {
    return xml(hostile(word) + BIDI);
  }

  private static void set(ScriptedClient client, String id, @Nullable String to, String payload) {
    client.send(
        "<iq type='set' id='"
            + id
            + "'"
            + (to == null ? "" : " to='" + to + "'")
            + ">"
            + payload
            + "</iq>");
    XmlElement answer =
        client.receiveFirst(
            each -> each.localName().equals("iq") && id.equals(each.attribute("id")));
    assertThat(answer.attribute("type")).as(id + ": " + answer).isEqualTo("result");
  }

  // ---- planting

  private void plant() throws Exception {
    ScriptedClient carol = product.client("carol", hostile("resource"));
    open.add(carol);
    carol.send("<presence><status>" + planted("status") + "</status></presence>");
    plantContacts(carol);
    plantRoom(carol);
    plantFile(carol);
    plantDevice();
    plantLogin();
    carol.send(
        "<message to='x@"
            + EVIL
            + "' type='chat' id='"
            + planted("stanza")
            + "'>"
            + "<body>"
            + planted("body")
            + "</body></message>");
    carol.send(
        "<message to='nobody@localhost' type='chat' id='"
            + planted("bounced")
            + "'>"
            + "<body>x</body></message>");
    carol.fence("planted");
  }

  private static void plantContacts(ScriptedClient carol) {
    set(
        carol,
        "contact",
        null,
        "<query xmlns='jabber:iq:roster'><item jid='romeo@"
            + EVIL
            + "' name='"
            + planted("contact")
            + "'><group>"
            + planted("group")
            + "</group></item></query>");
    set(
        carol,
        "report",
        null,
        "<block xmlns='urn:xmpp:blocking'><item jid='romeo@"
            + EVIL
            + "'><report xmlns='urn:xmpp:reporting:1' reason='urn:xmpp:reporting:spam'><text>"
            + planted("report")
            + "</text></report></item></block>");
    set(
        carol,
        "node",
        null,
        "<pubsub xmlns='http://jabber.org/protocol/pubsub'><publish node='"
            + planted("node")
            + "'><item id='"
            + planted("item")
            + "'><x xmlns='urn:x'>"
            + planted("payload")
            + "</x></item></publish></pubsub>");
  }

  private static void plantRoom(ScriptedClient carol) {
    carol.send(
        "<presence to='"
            + ROOM
            + "/"
            + xml("plantednick" + SHORT)
            + "'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    XmlElement entered =
        carol.receiveFirst(each ->
            each.localName().equals("presence")
                && String.valueOf(each.attribute("from")).startsWith(ROOM));
    assertThat(entered.attribute("type")).as(entered.toString()).isNull();
    set(
        carol,
        "room",
        ROOM,
        "<query xmlns='http://jabber.org/protocol/muc#owner'><x xmlns='jabber:x:data'"
            + " type='submit'><field var='FORM_TYPE'><value>"
            + "http://jabber.org/protocol/muc#roomconfig</value></field>"
            + "<field var='muc#roomconfig_roomname'><value>"
            + planted("roomname")
            + "</value></field><field var='muc#roomconfig_roomdesc'><value>"
            + planted("roomdesc")
            + "x".repeat(3_500)
            + "</value></field><field var='muc#roomconfig_persistentroom'><value>1</value></field>"
            + "</x></query>");
    set(
        carol,
        "affiliation",
        ROOM,
        "<query xmlns='http://jabber.org/protocol/muc#admin'><item affiliation='outcast' jid='romeo@"
            + EVIL
            + "' nick='"
            + xml("plantedoutcast" + SHORT)
            + "'><reason>"
            + planted("reason")
            + "</reason></item></query>");
    carol.send(
        "<message type='groupchat' to='"
            + ROOM
            + "'><subject>"
            + planted("subject")
            + "</subject></message>");
  }

  private void plantFile(ScriptedClient carol) throws Exception {
    carol.send(
        "<iq type='get' id='slot' to='upload.localhost'><request xmlns='urn:xmpp:http:upload:0'"
            + " filename='"
            + planted("file")
            + "' size='4' content-type='text/html'/></iq>");
    XmlElement answer =
        carol.receiveFirst(
            each -> each.localName().equals("iq") && "slot".equals(each.attribute("id")));
    XmlElement slot = answer.child("urn:xmpp:http:upload:0", "slot");
    assertThat(slot).as(answer.toString()).isNotNull();
    String put =
        Objects.requireNonNull(
            Objects.requireNonNull(
                    Objects.requireNonNull(slot).child("urn:xmpp:http:upload:0", "put"))
                .attribute("url"));
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI here = URI.create(server.plain() + put.substring(put.indexOf('/', 9)));
      int status =
          http.send(
                  HttpRequest.newBuilder(here)
                      .header("Content-Type", "text/html")
                      .PUT(HttpRequest.BodyPublishers.ofString("test"))
                      .build(),
                  HttpResponse.BodyHandlers.discarding())
              .statusCode();
      assertThat(status).isEqualTo(201);
    }
  }

  /// What a client says of itself when it logs in (XEP-0388).
  private void plantDevice() throws Exception {
    ScriptedClient phone =
        new ScriptedClient(
            SocketWire.connectTls(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.clientTlsPort()),
                "localhost"));
    open.add(phone);
    XmlElement success =
        phone
            .open("localhost")
            .authenticate2(
                Login.of("carol@localhost", ProductInBrowser.PASSWORD),
                "<user-agent id='d4565fa7-4d72-4749-b3d3-740edbf87770'><software>"
                    + planted("software")
                    + "</software><device>"
                    + planted("device")
                    + "</device></user-agent><bind xmlns='urn:xmpp:bind:0'><tag>"
                    + planted("tag")
                    + "</tag></bind>"
                    + "<request-token xmlns='urn:xmpp:fast:0' mechanism='HT-SHA-256-NONE'/>");
    assertThat(success.localName()).isEqualTo("success");
    phone.send("<presence/>");
    phone.fence("online");
  }

  /// A name with which someone tries to log in is in the log.
  private void plantLogin() throws Exception {
    try (ScriptedClient nobody =
        new ScriptedClient(
            SocketWire.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.clientPort())))) {
      String plain = "\0" + hostile("login") + "\0wrong";
      nobody
          .open("localhost")
          .send(
              "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>"
                  + Base64.getEncoder().encodeToString(plain.getBytes(StandardCharsets.UTF_8))
                  + "</auth>");
      assertThat(nobody.receive().localName()).isEqualTo("failure");
    }
  }

  // ---- reading

  /// What input of operations may be called, and what it is then.
  private static final String VALUES =
      "account=carol@localhost&room="
          + ROOM
          + "&host=localhost&sender=carol@localhost&receiver=x@"
          + EVIL
          + "&from=carol@localhost&to=x@"
          + EVIL
          + "&owner=carol@localhost&domain="
          + EVIL
          + "&user=carol@localhost&address=carol@localhost&limit=200&lines=200&node="
          + url(hostile("node") + BIDI)
          + "&resource="
          + url(hostile("resource"))
          + "&q=planted";

  private static String url(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /// All pages: those of the rail, those that they link, and those of all operations with and
  /// without values for what they need.
  private List<String> pages(BrowserWindow owner) {
    Set<String> all = new TreeSet<>();
    for (String from : List.of("", "do/", "people", "rooms", "sessions", "reports")) {
      owner.open(server.plain() + "/admin/" + from);
      String links =
          String.valueOf(
              owner.evaluate(
                  "[...document.querySelectorAll('a[href^=\"/admin/\"]')]"
                      + ".map(a => a.getAttribute('href')).join('\\n')"));
      all.addAll(links.lines().toList());
    }
    List<String> pages = new ArrayList<>(all);
    for (String each : all) {
      if (each.startsWith("/admin/do/") && !each.contains("?") && !each.endsWith("/")) {
        pages.add(each + "?" + VALUES);
      }
    }
    pages.add("/admin/person?account=carol@localhost");
    pages.add("/admin/room?room=" + ROOM);
    pages.add("/admin/search?q=" + url(hostile("search") + BIDI));
    pages.add("/admin/security");
    for (String list : List.of("people", "rooms", "sessions", "audit", "links")) {
      pages.add("/admin/" + list + "?" + VALUES + "&name=" + url(hostile("filter") + BIDI));
    }
    return pages;
  }

  @Test
  void noNameIsMoreThanText() throws Exception {
    plant();
    BrowserWindow owner = browser.window();
    product.signIn(owner);
    Eventually.await(
        "the other server to have refused",
        () -> server.run("link", "list").contains("plantedremote"));
    List<String> wrong = new ArrayList<>();
    Set<String> seen = new TreeSet<>();
    List<String> pages = pages(owner);
    assertThat(pages).hasSizeGreaterThan(150);
    for (int i = 0; i < pages.size(); i += AT_A_TIME) {
      List<String> some = pages.subList(i, Math.min(pages.size(), i + AT_A_TIME));
      List<?> sources = sources(owner, some);
      for (int j = 0; j < some.size(); j++) {
        String source = String.valueOf(sources.get(j));
        // Others are files to save, or never end.
        if (source.startsWith("text/html")) {
          read(owner, some.get(j), source, wrong, seen);
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(browser.complaints()).isEmpty();
    assertThat(seen).containsAll(SHOWN);
  }

  /// The type of each page and its source, all read at the same time: some look at DNS or wait for
  /// what never ends.
  private static List<?> sources(BrowserWindow owner, List<String> pages) {
    String all = pages.stream().map(JsonReader::quote).collect(Collectors.joining(","));
    Object sources =
        owner.evaluate(
            "Promise.all(["
                + all
                + "].map(page => fetch(page, { signal: AbortSignal.timeout(5000) })"
                + ".then(async answer => answer.headers.get('content-type') + '\\n' +"
                + " await answer.text()).catch(() => 'followed')))");
    assertThat(sources).isInstanceOf(List.class);
    return (List<?>) Objects.requireNonNull(sources);
  }

  /// Reads the source of a page, and opens it if a name is in it.
  ///
  /// @param wrong what was found
  /// @param seen the words of the names that were found
  private void read(
      BrowserWindow owner, String page, String source, List<String> wrong, Set<String> seen) {
    String place = page.substring(0, Math.min(100, page.length()));
    RAW.stream().filter(source::contains).forEach(raw -> wrong.add(place + " has " + raw));
    Matcher word = Pattern.compile("planted([a-z]+)[&\"]").matcher(source);
    while (word.find()) {
      seen.add(word.group(1));
    }
    if (source.contains("planted")) {
      owner.open(server.plain() + page);
      if (!"false".equals(owner.evaluate(TAKEN))) {
        wrong.add(place + " has more than text");
      }
    }
  }
}
