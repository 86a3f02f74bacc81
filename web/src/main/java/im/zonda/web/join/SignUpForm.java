package im.zonda.web.join;

import im.zonda.directory.SignUp;
import im.zonda.directory.SignUp.Reason;
import im.zonda.http.page.FormData;
import im.zonda.web.page.Markup;
import im.zonda.web.page.Page;
import im.zonda.web.page.Site;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The form by which someone creates an account. What was wrong stands beside its field, which has
/// the focus. The script `join.js` makes it more comfortable; everything works without it.
///
/// @param site what all pages share
/// @param action the path that it is sent to
/// @param token of an invitation, or null
/// @param username the name that was entered, or that it must be; null if there is none
/// @param fixed whether the name must be that
/// @param problem why the form was refused before; null if it was not
record SignUpForm(
    Site site,
    String action,
    @Nullable String token,
    @Nullable String username,
    boolean fixed,
    @Nullable Reason problem) {
  /// What a problem is about.
  private enum Field {
    FORM,
    NAME,
    PASSWORD,
    ANSWER
  }

  /// What someone has entered. Phones write a space behind a name that they complete.
  ///
  /// @param token of an invitation, or null
  static SignUp.Form entered(FormData form, @Nullable String token) {
    return new SignUp.Form(token, name(form), form.get("password"), form.get("answer"));
  }

  /// The name that someone has entered.
  static String name(FormData form) {
    return form.get("name").strip();
  }

  /// Adds the form to a page.
  void add(Markup body, Page page) {
    String question = token == null ? site.signUp().question() : null;
    Field wrong = problem == null ? null : field(problem, question);
    body.tag("<form id=\"join\" method=\"post\"").attribute("action", action);
    body.attribute("data-names", NameCheckHandler.PATH)
        .attribute("data-failed", page.text("form.failed"));
    if (token != null) {
      body.attribute("data-token", token);
    }
    body.tag(">\n");
    if (problem != null && wrong == Field.FORM) {
      body.tag("<p class=\"problem\" role=\"alert\" tabindex=\"-1\" autofocus>");
      body.text(text(page, site, problem, username)).tag("</p>\n");
    }
    addName(body, page, wrong == Field.NAME);
    addPassword(body, page, wrong == Field.PASSWORD);
    if (question != null) {
      body.tag("<label for=\"answer\">").text(question).tag("</label>\n");
      body.tag("<input id=\"answer\" name=\"answer\" autocomplete=\"off\" required");
      body.tag(" maxlength=\"1023\" aria-describedby=\"answer-text\"");
      addState(body, wrong == Field.ANSWER);
      addText(body, "answer", wrong == Field.ANSWER ? problem(page) : null, "");
    }
    String button = site.hasChat() ? "form.create-and-chat" : "form.create";
    body.tag("<button>").text(page.text(button)).tag("</button>\n</form>\n");
  }

  private void addName(Markup body, Page page, boolean wrong) {
    body.tag("<label for=\"name\">").text(page.text("form.name")).tag("</label>\n");
    body.tag("<div class=\"joined\"><input id=\"name\" name=\"name\" autocomplete=\"username\"");
    body.tag(" autocapitalize=\"none\" spellcheck=\"false\" required maxlength=\"1023\"");
    body.tag(" aria-describedby=\"name-domain name-text\"");
    if (username != null) {
      body.attribute("value", username);
    }
    body.tag(fixed ? " readonly" : "");
    addState(body, wrong);
    body.tag("<span id=\"name-domain\">@").text(site.domain()).tag("</span></div>\n");
    addText(body, "name", wrong ? problem(page) : null, "");
  }

  private void addPassword(Markup body, Page page, boolean wrong) {
    body.tag("<label for=\"password\">").text(page.text("form.password")).tag("</label>\n");
    body.tag("<div class=\"joined\"><input id=\"password\" name=\"password\" type=\"password\"");
    body.tag(" autocomplete=\"new-password\" required maxlength=\"1023\"");
    body.tag(" aria-describedby=\"password-text\"");
    addState(body, wrong);
    body.tag("<button type=\"button\" id=\"show\" aria-controls=\"password\" hidden");
    body.attribute("data-hide", page.text("form.hide")).tag(">");
    body.text(page.text("form.show")).tag("</button></div>\n");
    String hint =
        page.text("form.password.hint", Integer.toString(site.signUp().minPasswordLength()));
    addText(body, "password", wrong ? problem(page) : null, hint);
  }

  private static void addState(Markup body, boolean wrong) {
    body.tag(wrong ? " aria-invalid=\"true\" autofocus>" : ">");
  }

  /// What is wrong with a field, or else a hint. The script changes it.
  private static void addText(Markup body, String field, @Nullable String problem, String hint) {
    body.tag("<p role=\"status\"").attribute("id", field + "-text");
    body.attribute("class", problem == null ? "hint" : "problem").tag(">");
    body.text(problem == null ? hint : problem).tag("</p>\n");
  }

  private String problem(Page page) {
    return problem == null ? "" : text(page, site, problem, username);
  }

  /// Says why an account was not created, and what to do.
  ///
  /// @param name what was entered, or must be; null for nothing
  static String text(Page page, Site site, Reason reason, @Nullable String name) {
    String key = "problem." + reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return page.text(key, value(site, reason, name == null ? "" : name));
  }

  private static String value(Site site, Reason reason, String name) {
    return switch (reason) {
      case NAME_SPACE -> name.strip().replaceAll("\\s+", ".");
      case NAME_AT -> site.domain();
      case PASSWORD_TOO_SHORT -> Integer.toString(site.signUp().minPasswordLength());
      case CLOSED,
          NO_INVITATION,
          TOO_MANY,
          NAME_EMPTY,
          NAME_CHARACTER,
          NAME_TOO_LONG,
          NAME_OTHER,
          NAME_TAKEN,
          NAME_RESERVED,
          PASSWORD_EMPTY,
          PASSWORD_TOO_LONG,
          PASSWORD_CHARACTER,
          PASSWORD_COMMON,
          PASSWORD_NAME,
          WRONG_ANSWER ->
          name;
    };
  }

  private static Field field(Reason reason, @Nullable String question) {
    return switch (reason) {
      case CLOSED, NO_INVITATION, TOO_MANY -> Field.FORM;
      case NAME_EMPTY,
          NAME_SPACE,
          NAME_AT,
          NAME_CHARACTER,
          NAME_TOO_LONG,
          NAME_OTHER,
          NAME_TAKEN,
          NAME_RESERVED ->
          Field.NAME;
      case PASSWORD_EMPTY,
          PASSWORD_TOO_SHORT,
          PASSWORD_TOO_LONG,
          PASSWORD_CHARACTER,
          PASSWORD_COMMON,
          PASSWORD_NAME ->
          Field.PASSWORD;
      case WRONG_ANSWER -> question == null ? Field.FORM : Field.ANSWER;
    };
  }
}
