package im.zonda.plugins.generator;

import im.zonda.jid.Jid;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.Secret;
import im.zonda.plugin.Plugin;
import im.zonda.plugin.PluginContext;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Creates many users with contacts and vCards, and removes them again.
public final class UserGenerator implements Plugin {
  static final int MOST = 1_000_000;
  static final int MOST_CONTACTS = 1_000;
  static final int MOST_GROUPS = 20;
  private static final List<String> GROUPS = List.of("Friends", "Work", "Family");
  static final String USUAL = "users";
  private static final Pattern RUN = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
  private static final int LONGEST_RUN = 32;
  private static final Pattern GROUP = Pattern.compile("[^\\p{Cntrl}]{1,255}");
  private static final int LONGEST_PREFIX = 64;

  /// Users to create.
  public record Wanted(
      @Field(value = "the host", form = Field.Form.DOMAIN) String host,
      @Field(value = "the name of the run, by which it is continued and removed", fallback = USUAL)
          String run,
      @Field(value = "how many users", min = 1, max = MOST) int count,
      @Field("the password of all of them; otherwise that of the settings")
          @Nullable Secret password,
      @Field(value = "what names and contacts follow from", fallback = "1", min = Long.MIN_VALUE)
          long seed,
      @Field("what the local parts of the addresses begin with") @Nullable String prefix,
      @Field("whether the local parts are numbers from 0 on behind the prefix, instead of names")
          boolean numbered,
      @Field(value = "how many contacts each has", fallback = "40", max = MOST_CONTACTS)
          int contacts,
      @Field(
              value = "the groups of the contacts; Friends, Work and Family if none is given",
              max = MOST_GROUPS)
          List<String> groups,
      @Field("whether they have vCards") boolean vcards) {}

  /// A run.
  public record Chosen(
      @Field(value = "the host", form = Field.Form.DOMAIN) String host,
      @Field(value = "the name of the run", fallback = USUAL) String run) {}

  /// A host.
  public record Place(@Field(value = "the host", form = Field.Form.DOMAIN) String host) {}

  /// A run, as it is listed.
  public record Row(
      @Field("its name") String run,
      @Field("what becomes of it") Run.State state,
      @Field("how many users are done") long done,
      @Field("of how many") long count,
      @Field("the seed") long seed,
      @Field("what the local parts begin with") String prefix,
      @Field("how many contacts each has") long contacts,
      @Field("whether they have vCards") boolean vcards,
      @Field("when it began") Instant begun) {}

  /// The runs of a host.
  public record Listed(@Field("the runs") List<Row> runs) {}

  /// What goes on as a job.
  public record Begun() {}

  private static final Operation<Wanted, Begun> CREATE =
      Operation.change("user-generator.create", Right.ACCOUNTS)
          .at(
              "POST /hosts/{host}/user-generator",
              "Create many users for tests, or continue to",
              Wanted.class,
              Begun.class);

  private static final Operation<Chosen, Begun> REMOVE =
      Operation.destroy("user-generator.remove", Right.ACCOUNTS)
          .at(
              "DELETE /hosts/{host}/user-generator",
              "Remove the users that a run has created",
              Chosen.class,
              Begun.class);

  private static final Operation<Place, Listed> LIST =
      Operation.read("user-generator.list", Right.ACCOUNTS)
          .at(
              "GET /hosts/{host}/user-generator",
              "List the runs that have created users",
              Place.class,
              Listed.class);

  @Override
  public void start(PluginContext context) {
    Runs runs = new Runs(context.store(), context.accounts(), context.log());
    context.offer(
        CREATE.by((call, wanted) -> {
          Secret given = wanted.password();
          String password =
              given == null ? context.settings(wanted.host()).text("password") : given.text();
          return create(runs, call, wanted, password, context.clock().instant());
        }));
    context.offer(REMOVE.by((call, chosen) -> remove(runs, call, chosen)));
    context.offer(LIST.by((_, place) -> Outcome.done(list(runs, place.host()))));
  }

  /// The password is read for each run.
  @Override
  public boolean reload() {
    return true;
  }

  private static Outcome<Begun> create(
      Runs runs, Call call, Wanted wanted, String password, Instant now) {
    if (password.isEmpty()) {
      return Outcome.invalid(
          "password", "Give a password, or set one: password in [plugin.user-generator].");
    }
    String prefix = wanted.prefix() == null ? "" : wanted.prefix();
    if (!RUN.matcher(wanted.run()).matches() || wanted.run().length() > LONGEST_RUN) {
      return Outcome.invalid(
          "run", "A name of a run is at most 32 lower-case letters, digits and single hyphens.");
    }
    if (wanted.numbered() && prefix.isEmpty()) {
      return Outcome.invalid("prefix", "Addresses that are numbers need a prefix.");
    }
    if (prefix.length() > LONGEST_PREFIX || !isLocal(prefix, wanted.host())) {
      return Outcome.invalid("prefix", "No address can begin with " + prefix + ".");
    }
    if (!wanted.groups().stream().allMatch(each -> GROUP.matcher(each).matches())) {
      return Outcome.invalid("groups", "A group has a name of 1 to 255 characters in one line.");
    }
    Run run =
        new Run(
            wanted.run(),
            wanted.host(),
            wanted.seed(),
            wanted.count(),
            wanted.contacts(),
            wanted.vcards(),
            prefix,
            wanted.numbered(),
            wanted.groups().isEmpty() ? GROUPS : wanted.groups().stream().distinct().toList(),
            new Run.Progress(Run.State.CREATING, 0, 0, now));
    Run before = runs.find(run.host(), run.name());
    if (before != null && before.progress().state() == Run.State.REMOVING) {
      return Outcome.conflict(
          "The run " + run.name() + " is being removed; remove it once more, then create it.");
    }
    if (before != null && !run.isLike(before)) {
      return Outcome.conflict(
          "There is a run " + run.name() + " with other parameters; remove it first.");
    }
    Run begun = before == null ? run : before;
    return start(
        runs,
        call,
        begun,
        "Create " + run.count() + " users of the run " + run.name(),
        progress -> {
          runs.save(begun);
          return new Creation(runs, begun, password).work(progress);
        });
  }

  private static boolean isLocal(String prefix, String host) {
    String local = prefix + "a";
    try {
      return local.equals(Jid.of(local, host, null).local());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Outcome<Begun> remove(Runs runs, Call call, Chosen chosen) {
    Run found = runs.find(chosen.host(), chosen.run());
    if (found == null) {
      return Outcome.notFound("There is no run " + chosen.run() + " at " + chosen.host() + ".");
    }
    Run.Progress progress = found.progress();
    Run removing =
        progress.state() == Run.State.REMOVING
            ? found
            : found.at(Run.State.REMOVING, 0, progress.done());
    return start(
        runs,
        call,
        removing,
        "Remove the users of the run " + found.name(),
        at -> {
          runs.save(removing);
          return new Removal(runs, removing).work(at);
        });
  }

  private static Outcome<Begun> start(Runs runs, Call call, Run run, String title, Call.Work work) {
    if (!runs.take(run)) {
      return Outcome.conflict("A job works at the run " + run.name() + " at present.");
    }
    call.changed("run", null, run.name());
    try {
      return call.start(
          title,
          progress -> {
            try {
              return work.run(progress);
            } finally {
              runs.release(run);
            }
          });
    } catch (RuntimeException e) {
      runs.release(run);
      throw e;
    }
  }

  private static Listed list(Runs runs, String host) {
    return new Listed(
        runs.all(host).stream()
            .map(run ->
                new Row(
                    run.name(),
                    run.progress().state(),
                    run.progress().done(),
                    run.count(),
                    run.seed(),
                    run.prefix(),
                    run.contacts(),
                    run.vcards(),
                    run.progress().begun()))
            .toList());
  }
}
