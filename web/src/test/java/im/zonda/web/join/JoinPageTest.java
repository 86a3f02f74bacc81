package im.zonda.web.join;

import static im.zonda.web.PageAccounts.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import im.zonda.directory.SignUp.Reason;
import im.zonda.http.HttpException;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.web.PageAccounts;
import im.zonda.web.PageRequest;
import im.zonda.web.page.Look;
import im.zonda.web.page.Site;
import im.zonda.web.page.WebTexts;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Registration and invitations, with accounts of the test.
class JoinPageTest {
  private static final String BASE = "https://chat.example.org";
  private static final String INVITE = "/invite/" + TOKEN;

  private final PageAccounts accounts = new PageAccounts();

  private Site site(boolean hasChat) {
    return new Site(
        "example.org", Look.read("Our place", "#0d3b52", null), WebTexts.read(), hasChat, accounts);
  }

  private RegisterPage registerPage() {
    return new RegisterPage(site(true), BASE);
  }

  private InvitePage invitePage() {
    return new InvitePage(site(true), BASE);
  }

  private String register(String form) throws IOException {
    return PageRequest.text(registerPage().submit(PageRequest.post("/register", form)));
  }

  private String invite() {
    return PageRequest.text(invitePage().show(PageRequest.get(INVITE)));
  }

  private static String header(HttpResponse response, String name) {
    return response.headers().stream()
        .filter(each -> each.name().equals(name))
        .map(HttpResponse.Header::value)
        .reduce("", String::concat);
  }

  @Test
  void theQuestionOfTheHostIsAsked() throws IOException {
    assertThat(PageRequest.text(registerPage().show(PageRequest.get("/register"))))
        .doesNotContain("name=\"answer\"");
    accounts.question = "Type the color of <blood>";
    assertThat(PageRequest.text(registerPage().show(PageRequest.get("/register"))))
        .contains("Type the color of &lt;blood&gt;")
        .contains("name=\"answer\"");
    assertThat(register("name=juliet&password=x&answer=blue"))
        .contains("aria-describedby=\"answer-text\" aria-invalid=\"true\" autofocus>")
        .contains("class=\"problem\">The answer to the question is wrong.");
    assertThat(accounts.created()).isEmpty();
    register("name=juliet&password=x&answer=red");
    assertThat(accounts.created()).containsExactly("juliet x null");
    assertThat(invite()).doesNotContain("name=\"answer\"");
  }

  /// A name may have 1,023 bytes, each of which an address on the web writes as three characters.
  @Test
  void anAddressThatIsTooLongForAQrCodeIsALinkOnly() {
    accounts.invitation =
        PageAccounts.invitation("xmpp:" + "%D1%84".repeat(511) + "?roster", true, null);
    assertThat(invite())
        .contains("href=\"xmpp:%D1%84")
        .containsOnlyOnce("<svg class=\"qr\"")
        .doesNotContain("QR code of the invitation");
  }

  /// A camera opens pages only, an app the invitation.
  @Test
  void thereIsACodeForACameraAndOneForAnApp() {
    String page = invite();
    int camera = page.indexOf("aria-label=\"QR code of this page\"");
    int app = page.indexOf("aria-label=\"QR code of the invitation for apps\"");
    assertThat(camera).isBetween(page.indexOf("Continue on a phone"), app);
    assertThat(app).isGreaterThan(page.indexOf("The app is on another device"));
  }

  @Test
  void theBrowserComesFirst() {
    String page = invite();
    int button = page.indexOf("Create account and chat</button>");
    assertThat(page.indexOf("<h2>Chat in the browser</h2>")).isBetween(0, button);
    assertThat(page.indexOf("<h2>Or use an app</h2>")).isGreaterThan(button);
    assertThat(page.indexOf("https://dino.im/")).isGreaterThan(button);
    assertThat(page).contains("A clear and simple app for Linux, with calls.");
    String other =
        PageRequest.text(new InvitePage(site(false), BASE).show(PageRequest.get(INVITE)));
    assertThat(other).contains("Create account</button>").doesNotContain("browser</h2>");
  }

  /// Programs that show a preview of a link load no scripts and know no relative URLs.
  @Test
  void aLinkHasAPreview() {
    assertThat(invite())
        .contains(
            "<meta property=\"og:title\" content=\"romeo invites you to chat at example.org\">")
        .contains("<meta property=\"og:url\" content=\"" + BASE + INVITE + "\">")
        .contains("<meta property=\"og:image\" content=\"" + BASE + "/web/picture\">")
        .contains("<meta property=\"og:description\" content=\"Open the invitation")
        .contains("<meta property=\"og:site_name\" content=\"Our place\">");
    assertThat(PageRequest.text(registerPage().show(PageRequest.get("/register"))))
        .contains("<meta property=\"og:url\" content=\"" + BASE + "/register\">");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NAME_EMPTY|name|Enter a name.",
        "NAME_SPACE|name|Try carol.m\u00fcller",
        "NAME_AT|name|Your address will end with @example.org.",
        "NAME_CHARACTER|name|Use letters, digits, dots and hyphens.",
        "NAME_TOO_LONG|name|This name is too long.",
        "NAME_OTHER|name|This invitation is for another name.",
        "NAME_TAKEN|name|Someone already has this name.",
        "NAME_RESERVED|name|open the link of that invitation",
        "PASSWORD_EMPTY|password|Enter a password.",
        "PASSWORD_TOO_SHORT|password|at least 8 characters",
        "PASSWORD_TOO_LONG|password|This password is too long.",
        "PASSWORD_CHARACTER|password|such as a line break",
        "PASSWORD_COMMON|password|Many people use this password",
        "PASSWORD_NAME|password|Your name is too easy to guess"
      })
  void anErrorIsBesideItsFieldWhichHasTheFocus(Reason reason, String field, String text)
      throws Exception {
    accounts.refusal = reason;
    String page = register("name=+carol+m%C3%BCller+&password=x");
    String input = between(page, "<input id=\"" + field + "\"", ">");
    assertThat(input).contains("aria-invalid=\"true\" autofocus", field + "-text\"");
    assertThat(between(page, "id=\"" + field + "-text\"", "</p>"))
        .contains("class=\"problem\"", text);
    assertThat(page)
        .containsOnlyOnce("autofocus")
        .containsOnlyOnce("class=\"problem\"")
        .contains("value=\"carol m\u00fcller\"")
        .doesNotContain("value=\"x\"");
  }

  @ParameterizedTest
  @EnumSource(names = {"CLOSED", "NO_INVITATION", "TOO_MANY"})
  void anErrorOfTheFormIsAtItsTop(Reason reason) throws Exception {
    accounts.refusal = reason;
    assertThat(between(register("name=juliet&password=x"), "<form", "<label"))
        .contains("role=\"alert\" tabindex=\"-1\" autofocus>");
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void everyReasonIsSaidInEveryLanguage(Reason reason) throws Exception {
    accounts.refusal = reason;
    for (String language : WebTexts.read().languages().keySet()) {
      HttpResponse response =
          registerPage()
              .submit(
                  PageRequest.post("/register", "name=a&password=b")
                      .with(
                          Map.of(
                              "content-type",
                              "application/x-www-form-urlencoded",
                              "accept-language",
                              language)));
      assertThat(response.status()).isEqualTo(422);
      assertThat(PageRequest.text(response)).contains("class=\"problem\"").doesNotContain("{0}");
    }
  }

  private static String between(String page, String from, String to) {
    int start = page.indexOf(from);
    assertThat(start).as(page).isNotNegative();
    return page.substring(start, page.indexOf(to, start));
  }

  @Test
  void anAccountIsCreatedByAForm() throws Exception {
    assertThat(PageRequest.text(registerPage().show(PageRequest.get("/register"))))
        .contains("<form id=\"join\" method=\"post\" action=\"/register\"")
        .contains("<span id=\"name-domain\">@example.org</span>")
        .contains("At least 8 characters.");
    assertThat(register("name=+juliet+&password=r%C3%B8se+1"))
        .contains("<p id=\"created\" data-account=\"juliet@example.org\">")
        .doesNotContain("data-contact", "r\u00f8se");
    assertThat(accounts.created()).containsExactly("juliet r\u00f8se 1 null");
  }

  @Test
  void passwordsAreNotSentWithoutEncryption() throws Exception {
    RegisterPage page = registerPage();
    assertThat(PageRequest.text(page.show(PageRequest.get("/register").insecure("192.0.2.1"))))
        .doesNotContain("<form");
    page.submit(PageRequest.post("/register", "name=a&password=b").insecure("192.0.2.1"));
    invitePage().submit(PageRequest.post(INVITE, "name=a&password=b").insecure("192.0.2.1"));
    assertThat(accounts.created()).isEmpty();
    assertThat(PageRequest.text(invitePage().show(PageRequest.get(INVITE).insecure("192.0.2.1"))))
        .doesNotContain("<form");
    assertThat(PageRequest.text(page.show(PageRequest.get("/register").insecure("127.0.0.1"))))
        .contains("<form");
  }

  @Test
  void formsOfOtherSitesAreRejected() {
    PageRequest foreign =
        PageRequest.post("/register", "name=a&password=b")
            .with(
                Map.of(
                    "content-type",
                    "application/x-www-form-urlencoded",
                    "sec-fetch-site",
                    "cross-site"));
    assertThatExceptionOfType(HttpException.class)
        .isThrownBy(() -> registerPage().submit(foreign))
        .matches(e -> e.status() == 403);
    assertThatExceptionOfType(HttpException.class)
        .isThrownBy(() -> new NameCheckHandler(site(true)).handle(foreign))
        .matches(e -> e.status() == 403);
    PageRequest text = foreign.with(Map.of("content-type", "text/plain"));
    assertThatExceptionOfType(HttpException.class)
        .isThrownBy(() -> registerPage().submit(text))
        .matches(e -> e.status() == 415);
    assertThatExceptionOfType(HttpException.class)
        .isThrownBy(() -> FormData.parse("name=%zz"))
        .matches(e -> e.status() == 400);
    assertThat(accounts.created()).isEmpty();
  }

  @Test
  void withoutRegistrationThereIsNoForm() {
    accounts.open = false;
    HttpResponse response = registerPage().show(PageRequest.get("/register"));
    assertThat(response.status()).isEqualTo(403);
    assertThat(PageRequest.text(response)).doesNotContain("<form");
  }

  @Test
  void anInvitationIsShownAndUsed() throws Exception {
    assertThat(invite())
        .contains("romeo invites you to chat at example.org")
        .contains("href=\"xmpp:romeo@example.org?roster;preauth=0123456789abcdef;ibr=y\"")
        .contains("action=\"" + INVITE + "\"", "data-token=\"" + TOKEN + "\"");
    assertThat(
            PageRequest.text(
                invitePage().submit(PageRequest.post(INVITE, "name=juliet&password=secret"))))
        .contains("data-account=\"juliet@example.org\" data-contact=\"romeo@example.org\"");
    assertThat(accounts.created()).containsExactly("juliet secret " + TOKEN);
    assertThat(invitePage().show(PageRequest.get("/invite/other")).status()).isEqualTo(404);
    assertThat(invitePage().show(PageRequest.get("/invite/")).status()).isEqualTo(404);
  }

  @Test
  void anInvitationForANameAllowsNoOther() {
    accounts.invitation = PageAccounts.invitation("xmpp:example.org?register", true, "juliet");
    assertThat(between(invite(), "<input id=\"name\"", ">")).contains("value=\"juliet\" readonly");
  }

  @Test
  void anInvitationOfAContactHasNoForm() {
    accounts.invitation = PageAccounts.invitation("xmpp:romeo@example.org?roster", false, null);
    assertThat(invite())
        .contains("To chat with romeo@example.org, use your account here")
        .contains("<a class=\"button\" href=\"/chat/\">Chat in the browser</a>")
        .doesNotContain("<form");
  }

  /// Only pages with the form have a script, and only this server's.
  @Test
  void thePagesOfTheFormAllowTheirScript() throws Exception {
    HttpResponse page = invitePage().show(PageRequest.get(INVITE));
    assertThat(header(page, "Content-Security-Policy"))
        .endsWith("; script-src 'self'; connect-src 'self'")
        .doesNotContain("unsafe", "http", "*");
    assertThat(PageRequest.text(page))
        .contains("<script type=\"module\" src=\"" + JoinScript.PATH + "\"></script>");
    assertThat(
            header(
                invitePage().submit(PageRequest.post(INVITE, "name=juliet&password=secret")),
                "Content-Security-Policy"))
        .doesNotContain("script-src");
    assertThat(header(JoinScript.read().handle(PageRequest.get(JoinScript.PATH)), "Cache-Control"))
        .isEqualTo("no-cache");
  }

  private HttpResponse check(String form) throws IOException {
    return new NameCheckHandler(site(true)).handle(PageRequest.post(NameCheckHandler.PATH, form));
  }

  @Test
  void aNameIsCheckedBeforeTheFormIsSent() throws Exception {
    HttpResponse free = check("name=+juliet+&token=");
    assertThat(free.status()).isEqualTo(200);
    assertThat(PageRequest.text(free)).contains("juliet@example.org is free.");
    assertThat(header(free, "Cache-Control")).isEqualTo("no-store");
    accounts.refusal = Reason.NAME_TAKEN;
    HttpResponse taken = check("name=juliet&token=");
    assertThat(taken.status()).isEqualTo(422);
    assertThat(PageRequest.text(taken)).contains("Someone already has this name.");
    accounts.refusal = null;
    accounts.open = false;
    assertThat(check("name=juliet&token=").status()).isEqualTo(204);
    assertThat(check("name=juliet&token=" + TOKEN).status()).isEqualTo(200);
  }
}
