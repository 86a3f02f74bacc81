package im.zonda.app.operation.line;

import im.zonda.app.operation.JobOperations;
import im.zonda.jid.Jid;
import im.zonda.json.JsonText;
import im.zonda.operation.Catalogue;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.Secret;
import im.zonda.operation.execution.Jobs;
import im.zonda.operation.execution.OperationExecutor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/// Operations with components of every kind, for tests of the command line.
final class TestThings {
  enum Colour {
    RED,
    DARK_BLUE
  }

  record Page(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field("what comes before") @Nullable String after,
      @Field(value = "how many", fallback = "50", min = 1, max = 500) int limit) {}

  record Thing(
      @Field("its name") String name,
      @Field("how many there are") long count,
      @Field(value = "its size", form = Form.BYTES) long size,
      @Field("whether it is new") boolean fresh,
      @Field("when it was seen") @Nullable Instant lastSeen) {}

  record Things(
      @Field("the things") List<Thing> things,
      @Field("what to give as after for more") @Nullable String next) {}

  record Named(@Field("the name") String name) {}

  record Detail(
      @Field("its name") String name,
      @Field("how long it takes") Duration time,
      @Field("its colours") List<Colour> colours,
      @Field("the best of it") Thing best) {}

  record Added(
      @Field("whose it is") Jid account,
      @Field("its name") String name,
      @Field("its colour") @Nullable Colour colour,
      @Field("further names") List<String> more,
      @Field("whether it is new") boolean fresh,
      @Field("the password") @Nullable Secret password,
      @Field(value = "the text", form = Form.LINES) @Nullable String text,
      @Field("words that nobody may see") List<Secret> words) {}

  record Said(@Field("what was understood") String said) {}

  static final Operation<Page, Things> LIST =
      Operation.read("thing.list", Right.SERVER)
          .at("GET /things", "List the things", Page.class, Things.class);

  static final Operation<Named, Detail> SHOW =
      Operation.read("thing.show", Right.SERVER)
          .at("GET /things/{name}", "Show a thing", Named.class, Detail.class);

  static final Operation<Added, Said> ADD =
      Operation.change("thing.add", Right.SERVER)
          .at("POST /things", "Add a thing", Added.class, Said.class);

  static final Operation<Named, Nothing> DROP =
      Operation.destroy("thing.drop", Right.SERVER)
          .at("DELETE /things/{name}", "Drop a thing", Named.class, Nothing.class);

  static final Operation<Named, Said> SPLIT =
      Operation.change("thing.split", Right.SERVER)
          .at("POST /things/{name}/split", "Split a thing", Named.class, Said.class);

  static final Operation<Named, Nothing> WORK =
      Operation.change("thing.work", Right.SERVER)
          .at("POST /things/{name}/work", "Work on a thing", Named.class, Nothing.class);

  static final Operation<Nothing, Said> WATCH =
      Operation.read("thing.watch", Right.SERVER)
          .at("GET /things/watch", "Watch the things", Nothing.class, Said.class);

  static final List<Operation<?, ?>> ALL = List.of(LIST, SHOW, ADD, DROP, SPLIT, WORK, WATCH);

  private static final Instant SEEN = Instant.parse("2026-11-28T10:00:00.123Z");

  final List<String> dropped = new ArrayList<>();

  /// Runs them, and those on jobs.
  Operations operations(ExecutorService workers) {
    Jobs jobs = new Jobs(InstantSource.system(), () -> "j1", workers);
    List<Offer<?, ?>> offers = new ArrayList<>(JobOperations.of(jobs));
    offers.addAll(offers());
    return new OperationExecutor(
        new OperationExecutor.Parts(
            new Offered(offers), _ -> {}, JsonText::of, InstantSource.system(), workers, jobs));
  }

  private List<Offer<?, ?>> offers() {
    return List.of(
        LIST.by((_, page) ->
            Outcome.done(
                "0".equals(page.after())
                    ? new Things(List.of(), null)
                    : new Things(
                        List.of(
                            new Thing("a", 5, 2_048, true, SEEN),
                            new Thing("b\u001b[31m", 1_234, 50, false, null)),
                        page.limit() == 2 ? "b" : null))),
        SHOW.by((_, named) -> show(named)),
        ADD.by((_, added) ->
            Outcome.done(
                new Said(
                    added.account()
                        + " "
                        + added.name()
                        + " "
                        + added.colour()
                        + " "
                        + added.more()
                        + " "
                        + added.fresh()
                        + " "
                        + (added.password() == null ? "" : added.password().text())
                        + " "
                        + added.text()
                        + " "
                        + added.words().stream().map(Secret::text).toList()))),
        DROP.by((_, named) -> {
          dropped.add(named.name());
          return Nothing.done();
        }),
        SPLIT.by((_, named) ->
            new Outcome.Partly<>(
                new Said("half of " + named.name()),
                List.of(new Outcome.Failure("the rest", "It is too hard.")))),
        WORK.by((call, named) ->
            call.start(
                "Work on " + named.name(),
                progress -> {
                  progress.at(1, 2, "parts");
                  if (named.name().equals("stone")) {
                    throw new IllegalStateException("It is a stone.");
                  }
                  return "Worked on " + named.name() + ".";
                })),
        WATCH.by((_, _) ->
            new Outcome.Following<>(sink -> {
              sink.accept(new Said("one"));
              sink.accept(new Said("two"));
            })));
  }

  private static Outcome<Detail> show(Named named) {
    return named.name().equals("x")
        ? Outcome.notFound("There is no thing x.")
        : Outcome.done(
            new Detail(
                named.name(),
                Duration.ofMinutes(90),
                List.of(Colour.RED, Colour.DARK_BLUE),
                new Thing("best", 1, 1, true, SEEN)));
  }

  /// @param offers what is offered
  private record Offered(List<Offer<?, ?>> offers) implements Catalogue {
    @Override
    public List<Operation<?, ?>> operations() {
      return Offer.operations(offers);
    }

    @Override
    public @Nullable Offer<?, ?> find(String name, @Nullable String host) {
      return Offer.find(offers, name);
    }

    @Override
    public @Nullable String hostOf(String domain) {
      return domain.equals("a.example") ? domain : null;
    }
  }
}
