package im.zonda.module.circle;

import im.zonda.jid.Jid;
import im.zonda.module.circle.CircleModule.Console;
import im.zonda.operation.Call;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Outcome;
import java.util.List;
import java.util.function.Supplier;

/// Does for administrators what the command line does with circles.
///
/// @param circles the circles of the host
/// @param changed has changes carried out
record CircleActions(Console circles, Runnable changed) {
  List<Offer<?, ?>> offers() {
    return List.of(
        CircleOperations.LIST.by((_, wanted) -> Outcome.done(list(wanted))),
        CircleOperations.SHOW.by(
            (_, chosen) -> explained(() -> shown(circles.get(chosen.circle())))),
        CircleOperations.CREATE.by((_, accounts) -> explained(() -> create(accounts))),
        CircleOperations.ADD.by((call, accounts) -> explained(() -> add(call, accounts))),
        CircleOperations.REMOVE_MEMBER.by(
            (call, accounts) -> explained(() -> remove(call, accounts))),
        CircleOperations.DELETE.by((_, chosen) -> explained(() -> delete(chosen))));
  }

  /// Does something; what cannot be becomes a refusal with its reason as a sentence.
  private static <R extends Record> Outcome<R> explained(Supplier<R> task) {
    try {
      return Outcome.done(task.get());
    } catch (IllegalArgumentException e) {
      String text = String.valueOf(e.getMessage());
      String sentence = Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
      return text.startsWith("no such circle")
          ? Outcome.notFound(sentence)
          : Outcome.refused(Outcome.Reason.CONFLICT, sentence);
    }
  }

  private CircleOperations.Lines list(CircleOperations.Wanted wanted) {
    String after = wanted.after();
    List<Circle> page =
        circles.all().stream()
            .filter(each -> after == null || each.local().compareTo(after) > 0)
            .limit(wanted.limit())
            .toList();
    return new CircleOperations.Lines(
        page.stream()
            .map(each -> new CircleOperations.Line(each.name(), circles.room(each), each.created()))
            .toList(),
        page.size() < wanted.limit() ? null : page.getLast().local());
  }

  private CircleOperations.Shown shown(Circle circle) {
    return new CircleOperations.Shown(
        circle.name(),
        circles.room(circle),
        circle.created(),
        circles.members(circle),
        circles.unfinished(circle));
  }

  private static List<Jid> bare(CircleOperations.Accounts given) {
    return given.accounts().stream().map(Jid::bare).distinct().toList();
  }

  private CircleOperations.Shown create(CircleOperations.Accounts given) {
    Circle made = circles.create(given.circle(), bare(given));
    changed.run();
    return shown(made);
  }

  private CircleOperations.Added add(Call call, CircleOperations.Accounts given) {
    List<Jid> added = circles.add(given.circle(), bare(given));
    added.forEach(each -> call.changed("member " + each, "false", "true"));
    changed.run();
    return new CircleOperations.Added(added);
  }

  private Nothing remove(Call call, CircleOperations.Accounts given) {
    List<Jid> accounts = bare(given);
    circles.removeMembers(given.circle(), accounts);
    accounts.forEach(each -> call.changed("member " + each, "true", "false"));
    changed.run();
    return Nothing.NOTHING;
  }

  private Nothing delete(CircleOperations.Chosen chosen) {
    circles.delete(chosen.circle());
    changed.run();
    return Nothing.NOTHING;
  }
}
