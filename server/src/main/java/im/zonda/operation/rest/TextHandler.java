package im.zonda.operation.rest;

import im.zonda.http.HttpException;
import im.zonda.http.HttpHandler;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.operation.Caller;
import im.zonda.operation.Nothing;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/// Runs an operation without input and answers with a text, for programs that know one path and no
/// JSON, such as Prometheus. Who may is decided as for [RestHandler], by the same code.
public final class TextHandler<R extends Record> implements HttpHandler {
  private final Operations operations;
  private final RestHandler.Authentication authentication;
  private final Operation<Nothing, R> operation;
  private final Function<R, String> text;
  private final String type;

  /// @param text the text of a result
  /// @param type its media type
  public TextHandler(
      Operations operations,
      RestHandler.Authentication authentication,
      Operation<Nothing, R> operation,
      Function<R, String> text,
      String type) {
    this.operations = operations;
    this.authentication = authentication;
    this.operation = operation;
    this.text = text;
    this.type = type;
  }

  @Override
  public HttpResponse handle(HttpRequest request) {
    Caller caller;
    try {
      caller = authentication.caller(request);
    } catch (HttpException e) {
      return Problem.of(e);
    }
    return switch (operations.run(caller, operation, Nothing.NOTHING)) {
      case Outcome.Done<R>(R result) -> answer(result);
      case Outcome.Partly<R>(R result, var _) -> answer(result);
      case Outcome.Refused<R> refused -> Problem.of(refused);
      case Outcome.Started<R> _, Outcome.Following<R> _ ->
          throw new IllegalStateException(operation + " does not end at once");
    };
  }

  private HttpResponse answer(R result) {
    return HttpResponse.bytes(200, type, text.apply(result).getBytes(StandardCharsets.UTF_8))
        .with("Cache-Control", "no-store");
  }
}
