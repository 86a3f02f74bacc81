package im.zonda.console.guide;

import im.zonda.console.page.ConsolePages;
import im.zonda.console.page.Desk;
import im.zonda.console.page.Pages;
import im.zonda.console.page.Places;
import im.zonda.console.view.Frame;
import im.zonda.console.view.Section;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.http.page.FormToken;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The first steps with a new server: all of them with their states, one of them open. Each may be
/// done later.
///
/// @param pages what pages have in common
/// @param checks what was found by checks that take seconds
record StartPage(Pages pages, KnownChecks checks) implements ConsolePages.FormPage {
  /// The parameter that asks for a check.
  static final String CHECK = "check";

  private static final String SETTINGS = "config.list";
  private static final int MOST_FORM = 1 << 16;
  private static final int RESTART_SECONDS = 8;
  private static final int ORDER_SECONDS = 5;

  @Override
  public HttpResponse answer(Desk desk, boolean posted) throws IOException {
    Operation<?, ?> settings = desk.find(SETTINGS);
    if (settings == null) {
      return pages.missing(desk);
    }
    if (!desk.may(settings)) {
      return pages.forbidden(desk, settings);
    }
    if (posted) {
      return submit(desk);
    }
    StartState state = StartState.read(desk, checks);
    StartStep step = StartStep.of(desk.query(StartStep.PARAMETER), firstOpen(state));
    if (!desk.query(CHECK).isEmpty() && !state.isLocal()) {
      String operation = step == StartStep.DNS ? StartState.DNS_CHECK : StartState.REACH_CHECK;
      if (desk.may(operation)) {
        var _ = checks.run(desk, operation, state.host());
        state = StartState.read(desk, checks);
      }
    }
    return show(desk, 200, state, step, new StartForms(desk, state, Map.of(), "", ""));
  }

  private static StartStep firstOpen(StartState state) {
    for (StartStep each : StartStep.values()) {
      if (!state.mark(each).isDone()) {
        return each;
      }
    }
    return StartStep.PEOPLE;
  }

  private HttpResponse show(
      Desk desk, int status, StartState state, StartStep current, StartForms forms) {
    List<Step> steps = new ArrayList<>();
    int done = 0;
    for (StartStep each : StartStep.values()) {
      StartState.Mark mark = state.mark(each);
      done += mark.isDone() ? 1 : 0;
      steps.add(
          new Step(
              steps.size() + 1,
              desk.text("start." + each.word()),
              mark.tone(),
              desk.text("start.mark." + mark.word()),
              each.url(),
              each == current));
    }
    List<StepForm> all = new ArrayList<>(forms.restart());
    all.addAll(forms.of(current));
    List<StartStep> order = List.of(StartStep.values());
    StartStep next = order.get((order.indexOf(current) + 1) % order.size());
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put(
        "lead",
        desk.text("start.lead", String.valueOf(done), String.valueOf(steps.size()), state.host()));
    parameters.put("steps", steps);
    parameters.put("title", desk.text("start." + current.word()));
    parameters.put("about", desk.text("start." + current.word() + ".why"));
    parameters.put("sections", new StartSections(desk, state).of(current));
    parameters.put("forms", all);
    parameters.put(
        "waiting",
        state.waiting().isEmpty()
            ? ""
            : desk.text("start.waits", String.join(", ", state.waiting())));
    parameters.put("next", current == StartStep.PEOPLE ? Places.FOLDER : next.url());
    parameters.put(
        "nextText", desk.text(current == StartStep.PEOPLE ? "start.overview" : "start.next"));
    boolean goesOn =
        current == StartStep.CERTIFICATE
            && status == 200
            && state.mark(current).word().equals("asking");
    Frame frame = goesOn ? frame(desk).refreshing(ORDER_SECONDS) : frame(desk);
    return pages.templates().page(status, "start", frame, parameters);
  }

  private Frame frame(Desk desk) {
    return pages.frame(desk, desk.text("page.start"), Places.START);
  }

  private HttpResponse submit(Desk desk) throws IOException {
    FormData form = FormData.read(desk.visit().request(), MOST_FORM);
    FormToken.check(form, desk.visit().formToken());
    StartState state = StartState.read(desk, checks, form.get(StartForms.HOST));
    StartActions actions = new StartActions(desk, state, form);
    String action = form.get(StartForms.ACTION);
    return switch (actions.run()) {
      case Outcome.Done<?>(Record result) -> done(desk, actions.step(), action, result);
      case Outcome.Refused<?> refused ->
          refused.reason() == Reason.FORBIDDEN
              ? pages.refused(desk, refused)
              : show(
                  desk,
                  422,
                  state,
                  actions.step(),
                  new StartForms(desk, state, form.fields(), action, refused.text()));
      case Outcome.Started<?> _, Outcome.Partly<?> _, Outcome.Following<?> _ ->
          HttpResponse.redirect(303, actions.step().url());
    };
  }

  private HttpResponse done(Desk desk, StartStep step, String action, Record result) {
    return switch (action) {
      case StartForms.RESTART ->
          pages.sections(
              200,
              frame(desk).refreshing(RESTART_SECONDS),
              List.of(Section.note("", desk.text("start.restarting"))));
      case StartForms.INVITE ->
          new InvitationPage(pages)
              .made(
                  desk,
                  Objects.requireNonNull(desk.find(InvitationPage.CREATE)).result().data(result),
                  StartStep.PEOPLE.url());
      case StartForms.DOMAIN -> HttpResponse.redirect(303, StartStep.NETWORK.url());
      default -> HttpResponse.redirect(303, step.url());
    };
  }

  /// What the overview says as long as steps are open; empty if none is, or the reader may do none.
  static String hint(Desk desk, KnownChecks checks, FirstAccount first) {
    if (!desk.may(SETTINGS) || !desk.may("config.set")) {
      return "";
    }
    StartState state = StartState.brief(desk, checks, first);
    List<String> open = new ArrayList<>();
    for (StartStep each :
        List.of(StartStep.DOMAIN, StartStep.NETWORK, StartStep.CERTIFICATE, StartStep.PEOPLE)) {
      if (!state.mark(each).isDone()) {
        open.add(desk.text("start." + each.word()));
      }
    }
    return open.isEmpty() ? "" : desk.text("start.open", String.join(", ", open));
  }

  /// Whether nothing was done with the server yet, and the reader may do it.
  static boolean isFresh(Desk desk, KnownChecks checks, FirstAccount first) {
    return desk.may(SETTINGS)
        && desk.may("config.set")
        && StartState.brief(desk, checks, first).isFresh();
  }
}
