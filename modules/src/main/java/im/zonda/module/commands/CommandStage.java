package im.zonda.module.commands;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.forms.DataForm;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// One stage of a command: what the requester has submitted, and the answer, which is given once.
/// Any thread may answer.
public final class CommandStage {
  private final CommandSession session;
  private final List<DataForm> forms;
  private final BiConsumer<CommandSession, Outcome> answer;

  /// What a stage ends with.
  sealed interface Outcome {
    /// The requester is to fill in a form.
    ///
    /// @param allowed what is allowed next; the last one is the default
    record Ask(List<CommandAction> allowed, Element form) implements Outcome {}

    /// The command is complete.
    record Completed(List<Element> payload) implements Outcome {}

    /// The stage has failed. The session goes on if the requester may try again.
    record Failed(IqReply error, boolean mayRetry) implements Outcome {}
  }

  /// @param forms what was submitted in this session, in order
  /// @param answer gets the outcome
  CommandStage(
      CommandSession session, List<DataForm> forms, BiConsumer<CommandSession, Outcome> answer) {
    this.session = session;
    this.forms = List.copyOf(forms);
    this.answer = answer;
  }

  /// The requester's full address.
  public Jid from() {
    return session.owner();
  }

  /// The form that was submitted last; null at the first stage.
  public @Nullable DataForm form() {
    return forms.isEmpty() ? null : forms.getLast();
  }

  /// All forms that were submitted in this session, the first first.
  public List<DataForm> forms() {
    return forms;
  }

  /// Asks for the last form: the command completes when it is submitted.
  public void ask(DataForm form) {
    ask(form, CommandAction.COMPLETE);
  }

  /// Asks for a form after which another one follows.
  public void askNext(DataForm form) {
    ask(form, CommandAction.NEXT);
  }

  private void ask(DataForm form, CommandAction forward) {
    List<CommandAction> allowed =
        forms.isEmpty() ? List.of(forward) : List.of(CommandAction.PREV, forward);
    answer.accept(session, new Outcome.Ask(allowed, form.toElement()));
  }

  /// Completes the command with results to show.
  public void complete(Element... results) {
    answer.accept(session, new Outcome.Completed(List.of(results)));
  }

  /// Completes the command with results and a remark for people.
  ///
  /// @param note null for none
  public void complete(List<Element> results, @Nullable String note) {
    complete(results, "info", note);
  }

  /// Completes the command, parts of which have failed.
  ///
  /// @param reason what has failed, for people
  public void completeWithFailure(List<Element> results, String reason) {
    complete(results, "error", reason);
  }

  private void complete(List<Element> results, String type, @Nullable String note) {
    List<Element> payload = new ArrayList<>();
    if (note != null) {
      payload.add(CommandXml.note(type, note));
    }
    payload.addAll(results);
    answer.accept(session, new Outcome.Completed(List.copyOf(payload)));
  }

  /// Completes the command, which has done nothing (XEP-0050, section 3.2.2).
  ///
  /// The request was valid as one of this protocol, so it is not answered with a stanza error:
  /// clients show the remark, and treat an error as if the command could not be run.
  ///
  /// @param reason why, for people
  public void fail(String reason) {
    complete(List.of(), "error", reason);
  }
}
