package im.zonda.app.operation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.http.HttpContent;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.json.JsonReader;
import im.zonda.operation.Caller;
import im.zonda.operation.Catalogue;
import im.zonda.operation.Grant;
import im.zonda.operation.Kind;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import im.zonda.operation.Route;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import im.zonda.operation.execution.Jobs;
import im.zonda.operation.execution.OperationExecutor;
import im.zonda.operation.rest.OpenApi;
import im.zonda.operation.rest.RestHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every route answers as the description of the API says. The actions give samples.
class ApiContractTest {
  private static final String HOST = "own.example";
  private static final Grant EVERYTHING =
      new Grant(Role.SERVER_ADMIN, null, EnumSet.allOf(Right.class));
  private static final Map<String, Object> DOCUMENT = OpenApi.of(StandardOperations.ALL);

  /// What the actions give; null for a result.
  private @Nullable Outcome<?> outcome;

  private final RestHandler handler =
      new RestHandler(
          new OperationExecutor(
              new OperationExecutor.Parts(
                  new Catalogue() {
                    @Override
                    public List<Operation<?, ?>> operations() {
                      return StandardOperations.ALL;
                    }

                    @Override
                    public @Nullable Offer<?, ?> find(String name, @Nullable String host) {
                      return operations().stream()
                          .filter(each -> each.name().equals(name))
                          .findFirst()
                          .map(each -> offer(each))
                          .orElse(null);
                    }

                    @Override
                    public @Nullable String hostOf(String domain) {
                      return domain.equals(HOST) ? domain : null;
                    }
                  },
                  _ -> {},
                  _ -> "",
                  () -> Instant.EPOCH,
                  Runnable::run,
                  new Jobs(() -> Instant.EPOCH, () -> "job", Runnable::run))),
          _ -> new Caller("someone", Caller.Via.API, null, EVERYTHING));

  @SuppressWarnings("unchecked") // its result is of the operation's record
  private <I extends Record, R extends Record> Offer<I, R> offer(Operation<I, R> operation) {
    return operation.by((_, _) -> {
      Outcome<?> given = outcome;
      return given == null
          ? Outcome.done((R) SampleValues.record(operation.result().type()))
          : (Outcome<R>) given;
    });
  }

  static Stream<Operation<?, ?>> operations() {
    return StandardOperations.ALL.stream();
  }

  private static boolean hasBody(Operation<?, ?> operation) {
    HttpMethod method = operation.route().method();
    return method != HttpMethod.GET && method != HttpMethod.DELETE;
  }

  /// Right values for all components, or for those that are required.
  private static Map<String, Object> input(Operation<?, ?> operation, boolean all) {
    Map<String, Object> input = new LinkedHashMap<>();
    for (Shape.Component each : operation.input().components()) {
      if (all || each.required()) {
        input.put(each.name(), SampleValues.given(each.value(), HOST));
      }
    }
    return input;
  }

  private HttpResponse send(Operation<?, ?> operation, Map<String, Object> input)
      throws IOException {
    return handler.handle(GivenRequest.of(operation, input));
  }

  private static String text(HttpResponse response) {
    return response.content() instanceof HttpContent.Bytes(byte[] bytes)
        ? new String(bytes, StandardCharsets.UTF_8)
        : "";
  }

  private static String type(HttpResponse response) {
    return response.headers().stream()
        .filter(each -> each.name().equals("Content-Type"))
        .map(HttpResponse.Header::value)
        .findFirst()
        .orElse("");
  }

  /// A member that is an object.
  private static Map<?, ?> member(Map<?, ?> object, String name) {
    return (Map<?, ?>) Objects.requireNonNull(object.get(name), name);
  }

  /// The response is one that the document has for the operation.
  private static void isDescribed(Operation<?, ?> operation, HttpResponse response) {
    Map<?, ?> path = member(member(DOCUMENT, "paths"), operation.route().path());
    String method = operation.route().method().name().toLowerCase(Locale.ROOT);
    Map<?, ?> responses = member(member(path, method), "responses");
    Object exact = responses.get(String.valueOf(response.status()));
    Object found = exact == null ? responses.get(response.status() / 100 + "XX") : exact;
    assertThat(found).as(operation + " " + response.status()).isNotNull();
    Map<?, ?> resolved =
        (Map<?, ?>) DescribedValue.resolve(DOCUMENT, Objects.requireNonNull(found));
    Map<?, ?> content = (Map<?, ?>) resolved.get("content");
    if (content == null) {
      assertThat(text(response)).isEmpty();
      return;
    }
    Map<?, ?> media = member(content, type(response));
    assertThat(
            DescribedValue.errors(
                DOCUMENT, member(media, "schema"), JsonReader.object(text(response)), ""))
        .as(operation + " " + text(response))
        .isEmpty();
  }

  private void isRefused(
      Operation<?, ?> operation, Map<String, Object> input, int status, @Nullable String field)
      throws IOException {
    HttpResponse response = send(operation, input);
    assertThat(response.status()).as(operation + " " + input).isEqualTo(status);
    assertThat(type(response)).isEqualTo("application/problem+json");
    isDescribed(operation, response);
    if (field != null) {
      assertThat(JsonReader.object(text(response))).containsEntry("field", field);
    }
  }

  @ParameterizedTest
  @MethodSource("operations")
  void aRightInputHasAResult(Operation<?, ?> operation) throws IOException {
    for (boolean all : new boolean[] {false, true}) {
      HttpResponse response = send(operation, input(operation, all));
      assertThat(response.status())
          .as(text(response))
          .isEqualTo(operation.result().components().isEmpty() ? 204 : 200);
      isDescribed(operation, response);
    }
  }

  @ParameterizedTest
  @MethodSource("operations")
  void aWrongInputIsRefused(Operation<?, ?> operation) throws IOException {
    Map<String, Object> more = input(operation, false);
    more.put("noSuchComponent", "x");
    isRefused(operation, more, 422, "noSuchComponent");
    for (Shape.Component each : operation.input().components()) {
      Map<String, Object> without = input(operation, false);
      boolean inPath = operation.route().variables().contains(each.name());
      if (each.required() && !inPath) {
        without.remove(each.name());
        isRefused(operation, without, 422, each.name());
      }
      Map<String, Object> wrong = input(operation, true);
      wrong.put(each.name(), SampleValues.wrong(each.value()));
      isRefused(operation, wrong, 422, each.name());
      if (hasBody(operation) && !inPath && !(each.value() instanceof Value.Group)) {
        wrong.put(each.name(), Map.of("a", "b"));
        isRefused(operation, wrong, 422, each.name());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("operations")
  void theBodyIsWhereItBelongs(Operation<?, ?> operation) throws IOException {
    GivenRequest request = GivenRequest.of(operation, input(operation, true));
    HttpResponse response =
        handler.handle(
            hasBody(operation)
                ? request.with("application/x-www-form-urlencoded", "a=b")
                : request.with("application/json", "{}"));
    assertThat(response.status()).isEqualTo(hasBody(operation) ? 415 : 400);
    isDescribed(operation, response);
  }

  @ParameterizedTest
  @MethodSource("operations")
  void everyOutcomeHasItsStatus(Operation<?, ?> operation) throws IOException {
    for (Reason reason : Reason.values()) {
      outcome = new Outcome.Refused<>(reason, "It is so.", null);
      HttpResponse response = send(operation, input(operation, false));
      assertThat(JsonReader.object(text(response)))
          .containsEntry("reason", reason.word())
          .containsEntry("status", (long) response.status());
      isDescribed(operation, response);
    }
    outcome = new Outcome.Started<>("7");
    HttpResponse started = send(operation, input(operation, false));
    assertThat(started.status()).isEqualTo(202);
    assertThat(started.headers()).contains(new HttpResponse.Header("Location", "/api/v1/jobs/7"));
    isDescribed(operation, started);
    if (operation.kind() != Kind.READ) {
      outcome = partly(operation);
      HttpResponse partly = send(operation, input(operation, false));
      assertThat(partly.status()).isEqualTo(207);
      isDescribed(operation, partly);
    }
  }

  private static <R extends Record> Outcome<R> partly(Operation<?, R> operation) {
    @SuppressWarnings("unchecked") // the record of the operation
    R sample = (R) SampleValues.record(operation.result().type());
    return new Outcome.Partly<>(sample, List.of(new Outcome.Failure("one", "It is gone.")));
  }

  @ParameterizedTest
  @MethodSource("operations")
  void otherMethodsAreNamed(Operation<?, ?> operation) throws IOException {
    GivenRequest request = GivenRequest.of(operation, input(operation, false));
    HttpResponse response = handler.handle(request.with(HttpMethod.OPTIONS));
    assertThat(response.status()).isEqualTo(405);
    assertThat(response.headers())
        .filteredOn(each -> each.name().equals("Allow"))
        .singleElement()
        .satisfies(each -> assertThat(each.value()).contains(operation.route().method().name()));
  }

  /// What only reads can be asked for again, by a page that is opened once more for example, and
  /// addresses are kept in logs.
  @Test
  void addressesChangeNothingAndHaveNoSecrets() {
    for (Operation<?, ?> each : StandardOperations.ALL) {
      assertThat(each.route().method() == HttpMethod.GET)
          .as(each.name())
          .isEqualTo(each.kind() == Kind.READ);
      for (Shape.Component component : each.input().components()) {
        boolean inAddress = !hasBody(each) || each.route().variables().contains(component.name());
        if (inAddress) {
          assertThat(component.value())
              .as(each + " " + component.name())
              .isNotInstanceOf(Value.Hidden.class)
              .isNotInstanceOf(Value.Group.class);
        }
      }
    }
  }

  @Test
  void everyRouteIsThatOfOneOperation() {
    for (Operation<?, ?> one : StandardOperations.ALL) {
      for (Operation<?, ?> other : StandardOperations.ALL) {
        if (!one.equals(other)
            && one.route().method() == other.route().method()
            && one.route().variables().size() == other.route().variables().size()) {
          assertThat(one.route().match(example(other.route(), one.route())))
              .as(one + " and " + other)
              .isNull();
        }
      }
    }
  }

  /// A path of a route; its variables have the segments of another route where that has words.
  private static List<String> example(Route route, Route other) {
    List<String> path = new ArrayList<>();
    for (int i = 0; i < route.segments().size(); i++) {
      String segment = route.segments().get(i);
      boolean same = i < other.segments().size() && segment.startsWith("{");
      path.add(same ? other.segments().get(i) : segment);
    }
    return path;
  }

  @Test
  void everyOperationIsDescribedOnce() {
    TreeSet<String> described = new TreeSet<>();
    member(DOCUMENT, "paths")
        .values()
        .forEach(path ->
            ((Map<?, ?>) path)
                .values()
                .forEach(operation ->
                    assertThat(described.add((String) ((Map<?, ?>) operation).get("operationId")))
                        .isTrue()));
    assertThat(described)
        .containsExactlyElementsOf(
            StandardOperations.ALL.stream().map(Operation::name).sorted().toList());
  }
}
