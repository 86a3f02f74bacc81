package im.zonda.web.join;

import im.zonda.directory.SignUp;
import im.zonda.http.HttpRequest;
import im.zonda.web.page.FormData;
import im.zonda.web.page.Markup;
import im.zonda.web.page.Page;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The form by which someone creates an account.
///
/// @param action the path that it is sent to
/// @param username the name that was entered, or that it must be; null if there is none
/// @param fixed whether the name must be that
/// @param question what has to be answered; null if nothing
/// @param problem why the form was refused before; null if it was not
public record SignUpForm(
    String action,
    @Nullable String username,
    boolean fixed,
    @Nullable String question,
    SignUp.@Nullable Reason problem) {
  /// Whether a password may be sent over the connection of a request: it is encrypted, or stays on
  /// this machine.
  public static boolean isPrivate(HttpRequest request) {
    return request.secure() || request.remoteAddress().isLoopbackAddress();
  }

  /// What someone has entered.
  ///
  /// @param token of an invitation, or null
  public static SignUp.Form entered(FormData form, @Nullable String token) {
    return new SignUp.Form(token, form.get("name"), form.get("password"), form.get("answer"));
  }

  /// Adds the form to a page.
  public void add(Markup body, Page page) {
    body.tag("<form method=\"post\"").attribute("action", action).tag(">\n");
    if (problem != null) {
      body.tag("<p class=\"problem\" role=\"alert\">").text(problem(page, problem)).tag("</p>\n");
    }
    body.tag("<label for=\"name\">").text(page.text("form.name")).tag("</label>\n");
    body.tag("<input id=\"name\" name=\"name\" autocomplete=\"username\" autocapitalize=\"none\"");
    body.tag(" spellcheck=\"false\" required maxlength=\"1023\"");
    if (username != null) {
      body.attribute("value", username);
    }
    body.tag(fixed ? " readonly>\n" : ">\n");
    body.tag("<label for=\"password\">").text(page.text("form.password")).tag("</label>\n");
    body.tag("<input id=\"password\" name=\"password\" type=\"password\"");
    body.tag(" autocomplete=\"new-password\" required maxlength=\"1023\">\n");
    if (question != null) {
      body.tag("<label for=\"answer\">").text(question).tag("</label>\n");
      body.tag("<input id=\"answer\" name=\"answer\" autocomplete=\"off\" required");
      body.tag(" maxlength=\"1023\">\n");
    }
    body.tag("<button>").text(page.text("form.create")).tag("</button>\n</form>\n");
  }

  private static String problem(Page page, SignUp.Reason reason) {
    return page.text("problem." + reason.name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }
}
