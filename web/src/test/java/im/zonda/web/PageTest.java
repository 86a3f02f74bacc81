package im.zonda.web;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.directory.RoomDirectory.PublicRoom;
import im.zonda.http.HttpResponse;
import im.zonda.jid.Jid;
import im.zonda.web.chat.ChatFiles;
import im.zonda.web.chat.ChatPage;
import im.zonda.web.page.Device;
import im.zonda.web.page.Look;
import im.zonda.web.page.Markup;
import im.zonda.web.page.Site;
import im.zonda.web.page.WebTexts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The pages, with rooms and accounts of the test.
class PageTest {
  private static final String SCRIPT = "<script>alert('x')</script>";

  private final PageAccounts accounts = new PageAccounts();
  private final List<PublicRoom> rooms = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-25T12:00:00Z");

  private Site site(boolean hasChat) {
    return new Site(
        "example.org", Look.read("Our place", "#0d3b52", null), WebTexts.read(), hasChat, accounts);
  }

  private StartPage startPage(boolean hasChat, boolean guests) {
    return new StartPage(
        site(hasChat), new RoomList(most -> List.copyOf(rooms), () -> now), guests);
  }

  private Site site() {
    return site(true);
  }

  private static PublicRoom room(String local, String name, String description, int occupants) {
    return new PublicRoom(Jid.of(local + "@rooms.example.org"), name, description, occupants, true);
  }

  @Test
  void theStartPageListsRoomsWithTheMostPeopleFirst() {
    rooms.add(room("tea", "Tea", "Talk over a cup", 1));
    rooms.add(room("garden", "Garden", "", 12));
    HttpResponse response = startPage(true, false).handle(PageRequest.get("/"));
    String page = PageRequest.text(response);
    assertThat(response.status()).isEqualTo(200);
    assertThat(page)
        .contains("<html lang=\"en\">", "Our place", "Talk over a cup", "1 person is here")
        .contains("<a href=\"/chat/#room=tea@rooms.example.org\">Tea</a>");
    assertThat(page.indexOf("12 people")).isBetween(0, page.indexOf("1 person is"));
  }

  @Test
  void aListOfRoomsIsReadAgainAfterSomeSeconds() {
    StartPage page = startPage(true, false);
    assertThat(PageRequest.text(page.handle(PageRequest.get("/"))))
        .contains("There are no public rooms yet.");
    rooms.add(room("tea", "Tea", "", 1));
    assertThat(PageRequest.text(page.handle(PageRequest.get("/"))))
        .contains("There are no public rooms yet.");
    now = now.plusSeconds(6);
    assertThat(PageRequest.text(page.handle(PageRequest.get("/")))).contains("Tea");
  }

  @Test
  void guestsEnterRoomsThatAreOpen() {
    rooms.add(room("tea", "Tea", "", 1));
    rooms.add(new PublicRoom(Jid.of("secret@rooms.example.org"), "Secret", "", 1, false));
    String page = PageRequest.text(startPage(true, true).handle(PageRequest.get("/")));
    assertThat(page)
        .contains("<a class=\"button second\" href=\"/chat/?guest\">Enter as a guest</a>")
        .contains("<a href=\"/chat/?guest#room=tea@rooms.example.org\">Enter as a guest</a>")
        .doesNotContain("guest#room=secret");
    assertThat(PageRequest.text(startPage(true, false).handle(PageRequest.get("/"))))
        .doesNotContain("guest");
  }

  /// The chat and clients decode the address (RFC 3986, section 2.1).
  @ParameterizedTest
  @CsvSource({
    "zürich, z%C3%BCrich",
    "中文, %E4%B8%AD%E6%96%87",
    "tea\\2fcoffee, tea%5C2fcoffee",
    "100%, 100%25",
    "a%41b=c#d+e, a%2541b%3Dc%23d%2Be"
  })
  void aLinkHasTheAddressEscaped(String local, String escaped) {
    rooms.add(room(local, "Tea", "", 1));
    assertThat(PageRequest.text(startPage(true, true).handle(PageRequest.get("/"))))
        .contains("<a href=\"/chat/#room=" + escaped + "@rooms.example.org\">Tea</a>")
        .contains("<a href=\"/chat/?guest#room=" + escaped + "@rooms.example.org\">Enter");
    StartPage withoutChat = startPage(false, false);
    assertThat(PageRequest.text(withoutChat.handle(PageRequest.get("/"))))
        .contains("<a href=\"xmpp:" + escaped + "@rooms.example.org?join\">Tea</a>");
  }

  @Test
  void aRoomThatTheChatCannotOpenIsForClients() {
    rooms.add(room("who?", "Who", "", 1));
    assertThat(PageRequest.text(startPage(true, true).handle(PageRequest.get("/"))))
        .contains("<a href=\"xmpp:who%3F@rooms.example.org?join\">Who</a>")
        .doesNotContain("#room=who");
  }

  @Test
  void withoutAChatTheRoomsAreForClients() {
    rooms.add(room("tea", "Tea", "", 1));
    assertThat(PageRequest.text(startPage(false, false).handle(PageRequest.get("/"))))
        .contains("<a href=\"xmpp:tea@rooms.example.org?join\">Tea</a>")
        .doesNotContain("/chat/");
  }

  /// Names of rooms and people are texts, wherever they are shown.
  @Test
  void namesAreNoMarkup() throws Exception {
    rooms.add(room("tea", SCRIPT, "\"><img src=x onerror=alert(1)>", 1));
    String start = PageRequest.text(startPage(true, false).handle(PageRequest.get("/")));
    assertThat(start)
        .contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;")
        .doesNotContain("<script", "<img src=x");
    assertThat(new Markup().attribute("value", "\"><b>").toString())
        .isEqualTo(" value=\"&quot;&gt;&lt;b&gt;\"");
  }

  /// A name cannot show the rest of the line in another order.
  @Test
  void directionsOfTextAreRemoved() {
    assertThat(new Markup().text("a\u202eb\u0007").toString()).isEqualTo("a\ufffdb\ufffd");
  }

  @Test
  void pagesAllowNothingThatIsNotTheirs() {
    HttpResponse page = startPage(true, false).handle(PageRequest.get("/"));
    assertThat(header(page, "Content-Security-Policy"))
        .startsWith("default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'")
        .contains("frame-ancestors 'none'")
        .doesNotContain("script-src");
    HttpResponse chat =
        new ChatPage(
                site(),
                new ChatFiles("14.0.0", Map.of()),
                new ChatPage.Settings(
                    "rooms.example.org", false, "https://files.example.org/upload/"))
            .handle(PageRequest.get("/chat/"));
    assertThat(header(chat, "Content-Security-Policy"))
        .contains("script-src 'self' 'wasm-unsafe-eval';", "connect-src 'self';")
        .contains("frame-ancestors 'none'")
        .doesNotContain("http:", "https:", "*", "'unsafe-eval'");
    assertThat(PageRequest.text(chat))
        .contains("data-files=\"https://files.example.org/upload/\"")
        .contains("data-rooms=\"rooms.example.org\"", "src=\"/chat/14.0.0/converse.min.js\"")
        .contains("data-chat-hello=\"Welcome to Our place\"")
        .contains("<link rel=\"manifest\" href=\"/web/manifest.webmanifest\">");
  }

  @Test
  void theHelpSaysWhatTheChatDoesNotHave() throws Exception {
    String help = PageRequest.text(new HelpPage(site()).handle(PageRequest.get("/help")));
    assertThat(help)
        .contains("<h2>What it cannot do</h2>")
        .contains("<dt>Voice messages</dt>\n<dd>Conversations, Cheogram, Monal</dd>")
        .contains("Notifications while the chat is closed");
    assertThat(PageRequest.text(new HelpPage(site(false)).handle(PageRequest.get("/help"))))
        .contains("<h2>Apps</h2>")
        .doesNotContain("Voice messages");
  }

  private static String header(HttpResponse response, String name) {
    return response.headers().stream()
        .filter(each -> each.name().equals(name))
        .map(HttpResponse.Header::value)
        .reduce("", String::concat);
  }

  @Test
  void registrationIsOfferedWhereItIsAllowed() {
    assertThat(PageRequest.text(startPage(true, false).handle(PageRequest.get("/"))))
        .contains("href=\"/register\"");
    accounts.open = false;
    assertThat(PageRequest.text(startPage(true, false).handle(PageRequest.get("/"))))
        .doesNotContain("/register");
  }

  @Test
  void clientsAreForTheReadersDevice() {
    String android =
        PageRequest.text(
            startPage(true, false)
                .handle(
                    PageRequest.get("/")
                        .with(Map.of("user-agent", "Mozilla/5.0 (Linux; Android 16)"))));
    assertThat(android).contains("Conversations").doesNotContain("Gajim");
    assertThat(Device.of("Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X)"))
        .isEqualTo(Device.APPLE_MOBILE);
    assertThat(Device.of("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15)")).isEqualTo(Device.MAC);
    assertThat(Device.of("Mozilla/5.0 (Windows NT 10.0)")).isEqualTo(Device.WINDOWS);
    assertThat(Device.of(null)).isEqualTo(Device.OTHER);
  }
}
