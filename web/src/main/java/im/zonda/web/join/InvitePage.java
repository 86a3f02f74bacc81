package im.zonda.web.join;

import im.zonda.directory.SignUp;
import im.zonda.directory.SignUp.OpenInvitation;
import im.zonda.directory.SignUp.Reason;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.jid.Jid;
import im.zonda.web.page.Device;
import im.zonda.web.page.Markup;
import im.zonda.web.page.Page;
import im.zonda.web.page.Preview;
import im.zonda.web.page.QrImage;
import im.zonda.web.page.Site;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The pages `/invite/TOKEN`: who invites, a form that creates an account for the chat in the
/// browser if the invitation allows it (XEP-0401, section 4.5), apps, and QR codes of the page and
/// of the invitation.
///
/// @param site what all pages share
/// @param base the URL of the host, without a slash at the end
public record InvitePage(Site site, String base) {
  /// The folder of the pages.
  public static final String FOLDER = "/invite/";

  /// Shows an invitation.
  public HttpResponse show(HttpRequest request) {
    return show(request, null, null);
  }

  /// Creates an account.
  public HttpResponse submit(HttpRequest request) throws IOException {
    if (!Site.isPrivate(request)) {
      return show(request, null, null);
    }
    FormData form = FormData.read(request);
    SignUp.Result result =
        site.signUp().signUp(SignUpForm.entered(form, token(request)), request.remoteAddress());
    return switch (result) {
      case SignUp.Result.Created created -> RegisterPage.welcome(site, request, created);
      case SignUp.Result.Refused(var reason) -> show(request, SignUpForm.name(form), reason);
    };
  }

  private static String token(HttpRequest request) {
    return request.path().substring(FOLDER.length());
  }

  private HttpResponse show(HttpRequest request, @Nullable String name, @Nullable Reason problem) {
    Page page = site.page(request);
    String token = token(request);
    OpenInvitation invitation =
        token.isEmpty() ? null : site.signUp().find(token, request.remoteAddress());
    if (invitation == null) {
      Markup body = new Markup().element("h1", page.text("invite.gone"));
      body.element("p", page.text("invite.gone.text"));
      return page.response(404, page.text("invite.gone"), body);
    }
    Jid inviter = invitation.inviter();
    String title =
        inviter == null
            ? page.text("invite.by-host", site.domain())
            : page.text("invite.by-account", String.valueOf(inviter.local()), site.domain());
    Markup body = new Markup().element("h1", title).tag("\n");
    if (invitation.registers()) {
      String fixed = invitation.username();
      SignUpForm form =
          new SignUpForm(
              site, request.path(), token, fixed == null ? name : fixed, fixed != null, problem);
      addForm(body, page, request, form);
    } else {
      addContact(body, page, inviter);
    }
    addApps(body, page, request, invitation);
    addCodes(body, page, request, invitation);
    Preview preview = Preview.of(base, request.path(), page.text("invite.preview"));
    return page.response(
        problem == null ? 200 : 422, new Page.Head(title, preview, JoinScript.PATH), body);
  }

  private void addForm(Markup body, Page page, HttpRequest request, SignUpForm form) {
    body.tag("<p class=\"lead\">").text(page.text("invite.lead")).tag("</p>\n<section>\n");
    body.element("h2", page.text(site.hasChat() ? "invite.browser" : "form.create")).tag("\n");
    if (!Site.isPrivate(request)) {
      body.element("p", page.text("form.insecure")).tag("</section>\n");
      return;
    }
    form.add(body, page);
    if (site.hasChat()) {
      body.tag("<p>").link("/chat/", page.text("invite.sign-in")).tag("</p>\n");
    }
    body.tag("</section>\n");
  }

  /// For an invitation that adds a contact to an account that someone already has.
  private void addContact(Markup body, Page page, @Nullable Jid inviter) {
    String address = inviter == null ? site.domain() : inviter.toString();
    body.tag("<p class=\"lead\">").text(page.text("invite.contact", address)).tag("</p>\n");
    if (site.hasChat()) {
      body.tag("<p><a class=\"button\" href=\"/chat/\">").text(page.text("invite.browser"));
      body.tag("</a></p>\n");
    }
  }

  private static void addApps(
      Markup body, Page page, HttpRequest request, OpenInvitation invitation) {
    Device device = Device.of(request.header("User-Agent"));
    body.tag("<section>\n").element("h2", page.text("invite.apps")).tag("\n");
    body.element("p", page.text("invite.apps.text")).tag("\n");
    device.list(body, page);
    body.tag("<p><a class=\"button second\"").attribute("href", invitation.uri()).tag(">");
    body.text(page.text("invite.open")).tag("</a></p>\n");
    device.listOthers(body, page);
    body.tag("</section>\n");
  }

  /// A code for the camera of a phone, which opens web pages only, and one for an app.
  private void addCodes(Markup body, Page page, HttpRequest request, OpenInvitation invitation) {
    body.tag("<div class=\"codes\">\n");
    addCode(body, page, "invite.phone", base + request.path());
    addCode(body, page, "invite.app", invitation.uri());
    body.tag("</div>\n");
  }

  private static void addCode(Markup body, Page page, String key, String uri) {
    Markup code = QrImage.svg(uri, page.text(key + ".qr"));
    if (code != null) {
      body.tag("<section>\n").element("h2", page.text(key)).tag("\n");
      body.element("p", page.text(key + ".text")).tag(code.toString()).tag("\n</section>\n");
    }
  }
}
