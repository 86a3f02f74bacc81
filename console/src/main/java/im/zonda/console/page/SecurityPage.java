package im.zonda.console.page;

import im.zonda.console.factor.Factors;
import im.zonda.console.factor.Passkey;
import im.zonda.console.factor.PasskeyAnswer;
import im.zonda.console.factor.PasskeyKey;
import im.zonda.console.login.Protection;
import im.zonda.console.view.FactorsView;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.http.page.FormToken;
import im.zonda.jid.Jid;
import im.zonda.operation.AuditTrail;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The page on which administrators set up their own second factors, and remove them with a code.
/// Each change is in the audit and ends the other sessions of the account.
///
/// @param pages what pages have in common
record SecurityPage(Pages pages, Protection protection) {
  /// The address.
  static final String PATH = Places.FOLDER + "security";

  /// Where forms of the page are sent.
  static final String FOLDER = PATH + "/";

  private static final int MOST_LABEL = 64;

  /// What one reader's page shows besides what the account has.
  private record Shown(
      String problem, FactorsView.@Nullable Enrolment enrolment, List<String> fresh) {
    private static Shown problem(String text) {
      return new Shown(text, null, List.of());
    }
  }

  /// Shows the page.
  HttpResponse show(Desk desk) {
    return page(desk, Shown.problem(""));
  }

  private HttpResponse page(Desk desk, Shown shown) {
    Jid account = desk.visit().account();
    Factors.State state =
        account == null ? new Factors.State(null, List.of(), 0) : protection.factors().of(account);
    FactorsView view =
        new FactorsView(
            account == null ? "" : account.toString(),
            shown.problem(),
            protection.required() && account != null && !state.any(),
            state.codes() == null ? "" : desk.values().time(state.codes()).text(),
            state.any() ? Integer.toString(state.recoveryCodes()) : "",
            state.passkeys().stream().map(each -> key(desk, each)).toList(),
            shown.enrolment(),
            shown.fresh(),
            account == null ? null : offer(desk, account, state));
    return pages
        .templates()
        .page(
            shown.problem().isEmpty() ? 200 : 422,
            "security",
            pages.frame(desk, desk.text("page.security"), PATH),
            Map.of("view", view));
  }

  private static FactorsView.Key key(Desk desk, Passkey passkey) {
    return new FactorsView.Key(
        passkey.id(),
        passkey.label(),
        passkey.site(),
        desk.values().time(passkey.created()).text(),
        passkey.used() == null ? "" : desk.values().time(passkey.used()).text());
  }

  private FactorsView.@Nullable Offer offer(Desk desk, Jid account, Factors.State state) {
    String site = Protection.site(desk.visit().request());
    return site == null
        ? null
        : new FactorsView.Offer(
            protection.challenges().create(desk.visit().cookie()),
            site,
            protection.factors().handle(account),
            state.passkeys().stream().map(Passkey::id).collect(Collectors.joining(",")));
  }

  /// Does what a form of the page asks for.
  HttpResponse submit(Desk desk, String action) throws IOException {
    FormData form = FormData.read(desk.visit().request());
    FormToken.check(form, desk.visit().formToken());
    Jid account = desk.visit().account();
    if (account == null) {
      return pages.missing(desk);
    }
    return switch (action) {
      case "begin" -> begin(desk, account, form);
      case "confirm" -> confirm(desk, account, form);
      case "end" -> ended(desk, account, form);
      case "recovery" -> recovery(desk, account, form);
      case "passkey" -> register(desk, account, form);
      case "remove" -> remove(desk, account, form);
      default -> pages.missing(desk);
    };
  }

  private HttpResponse begin(Desk desk, Jid account, FormData form) {
    HttpResponse refused = unproved(desk, account, form);
    return refused == null
        ? page(
            desk,
            new Shown("", enrolment(account, protection.factors().newSecret(account)), List.of()))
        : refused;
  }

  private FactorsView.@Nullable Enrolment enrolment(Jid account, String sealed) {
    String secret = protection.factors().shown(account, sealed);
    if (secret == null) {
      return null;
    }
    String name = URLEncoder.encode(account.toString(), StandardCharsets.UTF_8).replace("+", "%20");
    return new FactorsView.Enrolment(
        secret.replaceAll("(.{4})(?!$)", "$1 "),
        "otpauth://totp/Zonda:" + name + "?secret=" + secret + "&issuer=Zonda",
        sealed);
  }

  private HttpResponse confirm(Desk desk, Jid account, FormData form) {
    String sealed = form.get("enrolment");
    boolean first = !protection.factors().of(account).any();
    return switch (protection.factors().begin(account, sealed, form.get("code"))) {
      case RIGHT -> changed(desk, account, "one-time codes begun", first);
      case WRONG ->
          page(
              desk,
              new Shown(desk.text("second.problem.wrong"), enrolment(account, sealed), List.of()));
      case TOO_MANY -> page(desk, Shown.problem(desk.text("second.problem.too-many")));
    };
  }

  /// Notes a change, ends the other sessions, and shows the page, with new recovery codes if the
  /// account has got its first factor.
  private HttpResponse changed(Desk desk, Jid account, String what, boolean withCodes) {
    List<String> fresh = withCodes ? protection.factors().newRecoveryCodes(account) : List.of();
    protection
        .audit()
        .write(
            new AuditTrail.Entry(
                protection.clock().instant(),
                desk.visit().caller(),
                "admin.own-factors",
                account.domain(),
                account.toString(),
                "done",
                "{\"changed\":\"" + what + "\"}"));
    protection.sessions().endOthers(account.toString(), desk.visit().session());
    return page(desk, new Shown("", null, fresh));
  }

  /// Who has a second factor proves it before there is another one; null if nothing is in the way.
  private @Nullable HttpResponse unproved(Desk desk, Jid account, FormData form) {
    return protection.factors().of(account).any() ? refused(desk, account, form) : null;
  }

  /// The page that says why a code does not do; null if it does.
  private @Nullable HttpResponse refused(Desk desk, Jid account, FormData form) {
    return switch (protection.factors().prove(account, form.get("code"))) {
      case RIGHT -> null;
      case WRONG -> page(desk, Shown.problem(desk.text("second.problem.wrong")));
      case TOO_MANY -> page(desk, Shown.problem(desk.text("second.problem.too-many")));
    };
  }

  private HttpResponse ended(Desk desk, Jid account, FormData form) {
    HttpResponse refused = refused(desk, account, form);
    if (refused != null) {
      return refused;
    }
    protection.factors().endCodes(account);
    return changed(desk, account, "one-time codes ended", false);
  }

  private HttpResponse recovery(Desk desk, Jid account, FormData form) {
    HttpResponse refused = refused(desk, account, form);
    return refused == null ? changed(desk, account, "recovery codes made", true) : refused;
  }

  private HttpResponse register(Desk desk, Jid account, FormData form) {
    PasskeyAnswer.Question question = Protection.question(desk.visit().request(), form);
    PasskeyAnswer answer = Protection.answer(form);
    String label = form.get("label").strip().replaceAll("\\p{Cntrl}", " ");
    if (question == null || answer == null || label.isEmpty() || label.length() > MOST_LABEL) {
      return page(desk, Shown.problem(desk.text("security.problem.passkey")));
    }
    PasskeyKey key = answer.registers(question);
    boolean first = !protection.factors().of(account).any();
    HttpResponse refused = key == null ? null : unproved(desk, account, form);
    if (refused != null) {
      return refused;
    }
    boolean added =
        key != null
            && protection.challenges().take(question.challenge(), desk.visit().cookie())
            && protection.factors().add(account, answer.id(), key, question.site(), label);
    return added
        ? changed(desk, account, "passkey registered", first)
        : page(desk, Shown.problem(desk.text("security.problem.passkey")));
  }

  /// With a code: who has taken over a session has none.
  private HttpResponse remove(Desk desk, Jid account, FormData form) {
    HttpResponse refused = refused(desk, account, form);
    if (refused != null) {
      return refused;
    }
    return protection.factors().remove(account, form.get("passkey"))
        ? changed(desk, account, "passkey removed", false)
        : page(desk, Shown.problem(desk.text("security.problem.passkey")));
  }
}
