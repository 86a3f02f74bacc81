package im.zonda.web.join;

import im.zonda.directory.SignUp;
import im.zonda.directory.SignUp.Reason;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.web.page.Device;
import im.zonda.web.page.Markup;
import im.zonda.web.page.Page;
import im.zonda.web.page.Preview;
import im.zonda.web.page.Site;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The page `/register`, where anyone creates an account if the host allows it.
///
/// @param site what all pages share
/// @param base the URL of the host, without a slash at the end
public record RegisterPage(Site site, String base) {
  /// The path of the page.
  public static final String PATH = "/register";

  /// Shows the form.
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
        site.signUp().signUp(SignUpForm.entered(form, null), request.remoteAddress());
    return switch (result) {
      case SignUp.Result.Created created -> welcome(site, request, created);
      case SignUp.Result.Refused(var reason) -> show(request, SignUpForm.name(form), reason);
    };
  }

  private HttpResponse show(HttpRequest request, @Nullable String name, @Nullable Reason problem) {
    Page page = site.page(request);
    String title = page.text("register.title", site.domain());
    Markup body = new Markup().element("h1", title);
    if (!site.signUp().isOpen()) {
      body.element("p", page.text("problem.closed"));
      return page.response(403, title, body);
    }
    if (Site.isPrivate(request)) {
      new SignUpForm(site, PATH, null, name, false, problem).add(body, page);
    } else {
      body.element("p", page.text("form.insecure"));
    }
    Preview preview = Preview.of(base, PATH, page.text("register.preview"));
    return page.response(
        problem == null ? 200 : 422, new Page.Head(title, preview, JoinScript.PATH), body);
  }

  /// What is shown when an account has been created. The script of the form reads the address and
  /// goes to the chat instead.
  static HttpResponse welcome(Site site, HttpRequest request, SignUp.Result.Created created) {
    Page page = site.page(request);
    Markup body = new Markup().element("h1", page.text("welcome.title"));
    String account = created.account().toString();
    body.tag("<p id=\"created\"").attribute("data-account", account);
    if (created.contact() != null) {
      body.attribute("data-contact", created.contact().toString());
    }
    body.tag(">").text(page.text("welcome.text")).tag(" <strong>").text(account);
    body.tag("</strong></p>\n");
    if (site.hasChat()) {
      body.tag("<p><a id=\"chat\" class=\"button\" href=\"/chat/\">");
      body.text(page.text("start.chat")).tag("</a></p>\n");
    }
    body.element("p", page.text("welcome.clients"));
    Device.of(request.header("User-Agent")).list(body, page);
    return page.response(200, page.text("welcome.title"), body);
  }
}
