package im.zonda.module.circle;

import im.zonda.jid.Jid;
import im.zonda.operation.Call;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Outcome;
import java.util.List;
import java.util.function.Supplier;

/// Does with circles what administrators ask for. Blocks.
///
/// @param circles the circles of the host
record CircleActions(HostCircles circles) {
  List<Offer<?, ?>> offers() {
    return List.of(
        CircleOperations.LIST.by((_, wanted) -> Outcome.done(list(wanted))),
        CircleOperations.SHOW.by(
            (_, chosen) -> explained(() -> shown(stored().get(chosen.circle())))),
        CircleOperations.CREATE.by((_, accounts) -> explained(() -> create(accounts))),
        CircleOperations.ADD.by((call, accounts) -> explained(() -> add(call, accounts))),
        CircleOperations.REMOVE_MEMBER.by(
            (call, accounts) -> explained(() -> remove(call, accounts))),
        CircleOperations.RENAME.by((call, wanted) -> explained(() -> rename(call, wanted))),
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
        stored().all().stream()
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
        List.copyOf(stored().members(circle)),
        stored().unfinished(circle));
  }

  private StoredCircles stored() {
    return circles.stored();
  }

  private static List<Jid> bare(CircleOperations.Accounts given) {
    return given.accounts().stream().map(Jid::bare).distinct().toList();
  }

  private CircleOperations.Shown create(CircleOperations.Accounts given) {
    Circle made = stored().create(given.circle(), bare(given));
    circles.work().changed();
    return shown(made);
  }

  private CircleOperations.Added add(Call call, CircleOperations.Accounts given) {
    List<Jid> added = stored().add(given.circle(), bare(given));
    added.forEach(each -> call.changed("member " + each, "false", "true"));
    circles.work().changed();
    return new CircleOperations.Added(added);
  }

  private Nothing remove(Call call, CircleOperations.Accounts given) {
    List<Jid> accounts = bare(given);
    stored().removeMembers(given.circle(), accounts);
    accounts.forEach(each -> call.changed("member " + each, "true", "false"));
    circles.work().changed();
    return Nothing.NOTHING;
  }

  private CircleOperations.Shown rename(Call call, CircleOperations.Renamed wanted) {
    String before = stored().get(wanted.circle()).name();
    Circle renamed = stored().rename(wanted.circle(), wanted.name());
    call.changed("name", before, renamed.name());
    circles.work().changed();
    return shown(renamed);
  }

  private Nothing delete(CircleOperations.Chosen chosen) {
    stored().remove(chosen.circle());
    circles.work().changed();
    return Nothing.NOTHING;
  }
}
