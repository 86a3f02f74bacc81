package im.zonda.module.group;

import im.zonda.account.AccountRegistration;
import im.zonda.group.GroupContacts;
import im.zonda.group.GroupDefinition;
import im.zonda.group.GroupDefinition.Source;
import im.zonda.group.GroupDirectory;
import im.zonda.group.SharedGroup;
import im.zonda.jid.Jid;
import im.zonda.operation.Call;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Does with shared groups what administrators ask for. Blocks.
///
/// @param groups the groups of the host
/// @param accounts the accounts of the host
/// @param host the host
record GroupActions(HostGroups groups, AccountRegistration accounts, Jid host) {
  /// How many people an answer names.
  private static final int NAMED = 20;

  /// How many differences a preview has.
  private static final int DIFFERENCES = 50;

  List<Offer<?, ?>> offers() {
    return List.of(
        GroupOperations.LIST.by((_, wanted) -> Outcome.done(list(wanted))),
        GroupOperations.SHOW.by((_, chosen) -> show(chosen.group())),
        GroupOperations.MEMBERS.by((_, wanted) -> members(wanted)),
        GroupOperations.CREATE.by(this::create),
        GroupOperations.CHANGE.by(this::change),
        GroupOperations.REMOVE.by((_, chosen) -> remove(chosen.group())),
        GroupOperations.ADD_MEMBER.by(this::addMembers),
        GroupOperations.REMOVE_MEMBER.by(this::removeMembers),
        GroupOperations.PREVIEW.by((_, planned) -> preview(planned)));
  }

  private GroupOperations.Lines list(GroupOperations.Wanted wanted) {
    String after = wanted.after();
    List<SharedGroup> page =
        groups.load().all().stream()
            .sorted(Comparator.comparing(SharedGroup::id))
            .filter(each -> after == null || each.id().compareTo(after) > 0)
            .limit(wanted.limit())
            .toList();
    return new GroupOperations.Lines(
        page.stream()
            .map(each ->
                new GroupOperations.Line(
                    each.id(),
                    each.name(),
                    each.definition().source(),
                    each.members().size(),
                    each.audience().size(),
                    each.isLarge()))
            .toList(),
        page.size() < wanted.limit() ? null : page.getLast().id());
  }

  private Outcome<GroupOperations.Shown> show(String id) {
    SharedGroup group = groups.load().find(id);
    return group == null ? unknown(id) : Outcome.done(shown(group));
  }

  private static GroupOperations.Shown shown(SharedGroup group) {
    GroupDefinition is = group.definition();
    return new GroupOperations.Shown(
        is.id(),
        is.name(),
        is.source(),
        is.everyone(),
        is.groups(),
        is.hidden(),
        is.seenBy(),
        is.presenceLimit(),
        group.members().size(),
        group.ordered().stream().limit(NAMED).toList());
  }

  private Outcome<GroupOperations.Members> members(GroupOperations.WantedMembers wanted) {
    SharedGroup group = groups.load().find(wanted.group());
    if (group == null) {
      return unknown(wanted.group());
    }
    Jid after = wanted.after();
    List<GroupOperations.Member> page =
        group.ordered().stream()
            .filter(each -> after == null || each.compareTo(after) > 0)
            .limit(wanted.limit())
            .map(GroupOperations.Member::new)
            .toList();
    String next = page.size() < wanted.limit() ? null : page.getLast().account().toString();
    return Outcome.done(new GroupOperations.Members(page, next));
  }

  private static <R extends Record> Outcome<R> unknown(String id) {
    return Outcome.notFound("There is no shared group " + id + ".");
  }

  private static <R extends Record> Outcome<R> notStored(SharedGroup group) {
    return Outcome.conflict(
        switch (group.definition().source()) {
          case SETTINGS -> "The group " + group.id() + " is in the settings; change it there.";
          case PROVIDER -> "The group " + group.id() + " comes from a provider of accounts.";
          case STORED -> throw new IllegalStateException(group.id());
        });
  }

  private static boolean isStored(SharedGroup group) {
    return group.definition().source() == Source.STORED;
  }

  // ---- what groups are

  private Outcome<GroupOperations.Shown> create(Call call, GroupOperations.Given given) {
    if (!GroupNames.isId(given.group())) {
      return Outcome.invalid(
          "group", "The id has at most 64 lower-case letters, digits, points and hyphens.");
    }
    if (groups.load().find(given.group()) != null) {
      return Outcome.conflict("There is a shared group " + given.group() + " already.");
    }
    if (groups.load().all().stream().filter(GroupActions::isStored).count()
        >= StoredGroups.MOST_GROUPS) {
      return Outcome.conflict("A host has at most " + StoredGroups.MOST_GROUPS + " groups.");
    }
    return put(call, given, null);
  }

  private Outcome<GroupOperations.Shown> change(Call call, GroupOperations.Given given) {
    SharedGroup group = groups.load().find(given.group());
    if (group == null) {
      return unknown(given.group());
    }
    return isStored(group) ? put(call, given, group.definition()) : notStored(group);
  }

  private Outcome<GroupOperations.Shown> put(
      Call call, GroupOperations.Given given, @Nullable GroupDefinition before) {
    if (!GroupNames.isName(given.name())) {
      return Outcome.invalid(
          "name",
          "A name has at most " + GroupNames.NAME_BYTES + " bytes and no control characters.");
    }
    Outcome<GroupOperations.Shown> wrong = wrongGroup("groups", given.groups(), given.group());
    if (wrong == null) {
      wrong = wrongGroup("seenBy", given.seenBy(), given.group());
    }
    if (wrong != null) {
      return wrong;
    }
    GroupDefinition after =
        new GroupDefinition(
            given.group(),
            Source.STORED,
            given.name(),
            Set.of(),
            given.everyone(),
            given.groups(),
            given.hidden(),
            given.seenBy(),
            given.presenceLimit());
    groups.stored().put(after);
    groups.changed(given.group());
    call.changed("group", before == null ? null : text(before), text(after));
    return show(given.group());
  }

  private <R extends Record> @Nullable Outcome<R> wrongGroup(
      String field, List<String> ids, String own) {
    for (String each : ids) {
      // Ids of providers may have any characters, and the store separates ids by blanks.
      if (each.equals(own) || each.indexOf(' ') >= 0 || groups.load().find(each) == null) {
        return Outcome.invalid(field, "There is no other shared group " + each + ".");
      }
    }
    return null;
  }

  private static String text(GroupDefinition group) {
    return group.name()
        + (group.everyone() ? " everyone" : "")
        + (group.hidden() ? " hidden" : "")
        + (group.groups().isEmpty() ? "" : " groups " + group.groups())
        + (group.seenBy().isEmpty() ? "" : " seen by " + group.seenBy())
        + " limit "
        + group.presenceLimit();
  }

  private Outcome<Nothing> remove(String id) {
    SharedGroup group = groups.load().find(id);
    if (group == null) {
      return unknown(id);
    }
    if (!isStored(group)) {
      return notStored(group);
    }
    groups.stored().remove(id);
    groups.changed(id);
    return Nothing.done();
  }

  // ---- members

  private Outcome<Nothing> addMembers(Call call, GroupOperations.Accounts given) {
    SharedGroup group = groups.load().find(given.group());
    if (group == null) {
      return unknown(given.group());
    }
    if (!isStored(group)) {
      return notStored(group);
    }
    List<Jid> added = given.accounts().stream().map(Jid::bare).distinct().toList();
    for (Jid each : added) {
      if (each.local() == null || !each.domain().equals(host.domain())) {
        return Outcome.invalid("accounts", each + " is not an account of " + host + ".");
      }
      if (accounts.created(each) == null) {
        return Outcome.invalid("accounts", "There is no account " + each + ".");
      }
    }
    groups.stored().addMembers(given.group(), added);
    groups.changed(given.group());
    added.stream()
        .filter(each -> !group.definition().members().contains(each))
        .forEach(each -> call.changed("member " + each, "false", "true"));
    return Nothing.done();
  }

  private Outcome<Nothing> removeMembers(Call call, GroupOperations.Accounts given) {
    SharedGroup group = groups.load().find(given.group());
    if (group == null) {
      return unknown(given.group());
    }
    if (!isStored(group)) {
      return notStored(group);
    }
    List<Jid> removed = given.accounts().stream().map(Jid::bare).distinct().toList();
    for (Jid each : removed) {
      if (!group.definition().members().contains(each)) {
        return Outcome.invalid("accounts", each + " is not a member of its own.");
      }
    }
    groups.stored().removeMembers(given.group(), removed);
    groups.changed(given.group());
    removed.forEach(each -> call.changed("member " + each, "true", "false"));
    return Nothing.done();
  }

  // ---- what would be

  private Outcome<GroupOperations.Preview> preview(GroupOperations.Planned planned) {
    GroupDirectory before = groups.load();
    SharedGroup group = before.find(planned.group());
    if (group != null && !isStored(group)) {
      return notStored(group);
    }
    Outcome<GroupOperations.Preview> wrong =
        wrongGroup("groups", planned.groups(), planned.group());
    if (wrong == null) {
      wrong = wrongGroup("seenBy", planned.seenBy(), planned.group());
    }
    if (wrong != null) {
      return wrong;
    }
    Set<Jid> members = new HashSet<>(group == null ? Set.of() : group.definition().members());
    planned.add().stream()
        .map(Jid::bare)
        .filter(each -> each.local() != null && each.domain().equals(host.domain()))
        .forEach(members::add);
    planned.remove().forEach(each -> members.remove(each.bare()));
    GroupDirectory after =
        groups.preview(
            new GroupDefinition(
                planned.group(),
                Source.STORED,
                group == null ? planned.group() : group.name(),
                members,
                planned.everyone(),
                planned.groups(),
                planned.hidden(),
                planned.seenBy(),
                planned.presenceLimit()));
    return Outcome.done(preview(planned.group(), before, after));
  }

  private static GroupOperations.Preview preview(
      String id, GroupDirectory before, GroupDirectory after) {
    List<GroupOperations.Difference> differences = new ArrayList<>();
    int changed = 0;
    for (Jid each : after.concernedSince(before).stream().sorted().toList()) {
      GroupContacts had = before.of(each);
      GroupContacts has = after.of(each);
      List<Jid> candidates = has.changedSince(had);
      List<Jid> gained = candidates.stream().filter(c -> has.sees(c) && !had.sees(c)).toList();
      List<Jid> lost = candidates.stream().filter(c -> had.sees(c) && !has.sees(c)).toList();
      if (gained.isEmpty() && lost.isEmpty()) {
        continue;
      }
      changed++;
      if (differences.size() < DIFFERENCES) {
        differences.add(
            new GroupOperations.Difference(
                each,
                gained.size(),
                lost.size(),
                gained.stream().limit(NAMED).toList(),
                lost.stream().limit(NAMED).toList()));
      }
    }
    SharedGroup group = Objects.requireNonNull(after.find(id));
    return new GroupOperations.Preview(
        group.members().size(),
        group.audience().size(),
        group.isLarge(),
        changed,
        List.copyOf(differences));
  }
}
