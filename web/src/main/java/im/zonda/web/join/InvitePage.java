package im.zonda.web.join;

import im.zonda.directory.SignUp;
import im.zonda.directory.SignUp.OpenInvitation;
import im.zonda.directory.SignUp.Reason;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.jid.Jid;
import im.zonda.web.page.Device;
import im.zonda.web.page.FormData;
import im.zonda.web.page.Markup;
import im.zonda.web.page.Page;
import im.zonda.web.page.QrImage;
import im.zonda.web.page.Site;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The pages `/invite/TOKEN`: who invites, a link and a QR code for clients, and a form that
/// creates an account if the invitation allows it (XEP-0401, section 4.5).
///
/// @param site what all pages share
public record InvitePage(Site site) {
  /// The folder of the pages.
  public static final String FOLDER = "/invite/";

  /// Shows an invitation.
  public HttpResponse show(HttpRequest request) {
    return show(request, null, null);
  }

  /// Creates an account.
  public HttpResponse submit(HttpRequest request) throws IOException {
    if (!SignUpForm.isPrivate(request)) {
      return show(request, null, null);
    }
    FormData form = FormData.read(request);
    SignUp.Result result =
        site.signUp().signUp(SignUpForm.entered(form, token(request)), request.remoteAddress());
    return switch (result) {
      case SignUp.Result.Created(var account) ->
          RegisterPage.welcome(site, request, account.toString());
      case SignUp.Result.Refused(var reason) -> show(request, form.get("name"), reason);
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
    Markup body = new Markup().element("h1", title).tag("\n<ol class=\"steps\">\n<li>");
    body.element("h2", page.text("invite.install")).tag("\n");
    Device.of(request.header("User-Agent")).list(body);
    body.tag("</li>\n<li>").element("h2", page.text("invite.open"));
    body.tag("\n<p><a class=\"button\"").attribute("href", invitation.uri()).tag(">");
    body.text(page.text("invite.open.here")).tag("</a></p>\n");
    Markup code = QrImage.svg(invitation.uri(), page.text("invite.qr"));
    if (code != null) {
      body.element("p", page.text("invite.scan")).tag(code.toString());
    }
    body.tag("</li>\n</ol>\n");
    if (invitation.registers()) {
      String fixed = invitation.username();
      body.tag("<section>\n").element("h2", page.text("invite.register")).tag("\n");
      if (SignUpForm.isPrivate(request)) {
        String shown = fixed == null ? name : fixed;
        new SignUpForm(request.path(), shown, fixed != null, null, problem).add(body, page);
      } else {
        body.element("p", page.text("form.insecure"));
      }
      body.tag("</section>\n");
    }
    return page.response(problem == null ? 200 : 422, title, body);
  }
}
