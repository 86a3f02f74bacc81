package im.zonda.web.join;

import im.zonda.directory.SignUp;
import im.zonda.directory.SignUp.Reason;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.web.page.Device;
import im.zonda.web.page.FormData;
import im.zonda.web.page.Markup;
import im.zonda.web.page.Page;
import im.zonda.web.page.Site;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The page `/register`, where anyone creates an account if the host allows it.
///
/// @param site what all pages share
public record RegisterPage(Site site) {
  /// Shows the form.
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
        site.signUp().signUp(SignUpForm.entered(form, null), request.remoteAddress());
    return switch (result) {
      case SignUp.Result.Created(var account) -> welcome(site, request, account.toString());
      case SignUp.Result.Refused(var reason) -> show(request, form.get("name"), reason);
    };
  }

  private HttpResponse show(HttpRequest request, @Nullable String name, @Nullable Reason problem) {
    Page page = site.page(request);
    Markup body = new Markup().element("h1", page.text("register.title", site.domain()));
    if (!site.signUp().isOpen()) {
      body.element("p", page.text("problem.closed"));
      return page.response(403, page.text("register.title", site.domain()), body);
    }
    if (SignUpForm.isPrivate(request)) {
      String question = site.signUp().question();
      new SignUpForm("/register", name, false, question, problem).add(body, page);
    } else {
      body.element("p", page.text("form.insecure"));
    }
    return page.response(
        problem == null ? 200 : 422, page.text("register.title", site.domain()), body);
  }

  /// What is shown when an account has been created.
  public static HttpResponse welcome(Site site, HttpRequest request, String account) {
    Page page = site.page(request);
    Markup body = new Markup().element("h1", page.text("welcome.title"));
    body.tag("<p>").text(page.text("welcome.text")).tag(" <strong>").text(account);
    body.tag("</strong></p>\n");
    if (site.hasChat()) {
      body.tag("<p><a class=\"button\" href=\"/chat/\">").text(page.text("start.chat"));
      body.tag("</a></p>\n");
    }
    body.element("p", page.text("welcome.clients"));
    Device.of(request.header("User-Agent")).list(body);
    return page.response(200, page.text("welcome.title"), body);
  }
}
