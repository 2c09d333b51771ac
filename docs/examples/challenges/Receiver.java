/*
 * An app as a server. Start it: java Receiver.java 8000
 * Judge it: npx ringback challenge 1 --server http://127.0.0.1:8000
 */

import com.sun.net.httpserver.*;
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;

public class Receiver {
    /** What /reset says: the time, and where the REST API is. */
    static Object told = Map.of();

    // each challenge reads one of these
    static List<Object> log = new ArrayList<>();
    static List<String> numbers = new ArrayList<>();
    static Map<String, Object> board = new HashMap<>();

    /** Forgets everything. */
    static void reset() {
        log = new ArrayList<>();
        numbers = new ArrayList<>();
        board = new HashMap<>();
    }

    /** Handles a request of the platform. Returns the status to answer. */
    static int receive(String body, Headers headers) throws Exception {
        Object event = Json.read(body);
        switch (Json.get(event, "type").toString()) {
            case "call.ended":
                break; // your code, such as: log.add(Map.of("callId", Json.get(event, "data", "call", "id")));
        }
        return 204;
    }

    static final HttpClient client = HttpClient.newHttpClient();

    /** What the platform's REST API answers, such as ask("/users"). */
    static Object ask(String path) throws Exception {
        String api = Json.get(told, "api").toString();
        String form = "grant_type=client_credentials&client_id=" + Json.get(told, "clientId") + "&client_secret=" + Json.get(told, "clientSecret");
        var issued = HttpRequest.newBuilder(URI.create(api + "/oauth/token"))
            .header("content-type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form));
        var get = HttpRequest.newBuilder(URI.create(api + path)).header("authorization", "Bearer " + Json.get(answerTo(issued), "access_token"));
        return answerTo(get);
    }

    static Object answerTo(HttpRequest.Builder request) throws Exception {
        var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) throw new IOException("the REST API answers " + answer.statusCode());
        return Json.read(answer.body());
    }

    static void handle(HttpExchange exchange) throws IOException {
        var shown = Map.of("/log", log, "/numbers", numbers, "/board", board);
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), "UTF-8");
        if (!exchange.getRequestMethod().equals("POST")) {
            answer(exchange, 404, null);
        } else if (path.equals("/hooks")) {
            int status = 500;
            try {
                status = receive(body, exchange.getRequestHeaders());
            } catch (Exception error) {
                error.printStackTrace();
            }
            answer(exchange, status, null);
        } else if (path.equals("/reset")) { // before each world
            told = Json.read(body);
            reset();
            answer(exchange, 204, null);
        } else if (shown.containsKey(path)) {
            answer(exchange, 200, Json.write(shown.get(path)));
        } else {
            answer(exchange, 404, null);
        }
    }

    static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body == null ? new byte[0] : body.getBytes("UTF-8");
        exchange.sendResponseHeaders(status, body == null ? -1 : bytes.length);
        if (body != null) exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("sun.net.httpserver.nodelay", "true"); // saves time
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 0);
        server.createContext("/", Receiver::handle); // requests are handled one after the other
        Files.writeString(Path.of("receiver.pid"), "" + ProcessHandle.current().pid()); // challenge 6 restarts it by this
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort());
    }
}

/** JSON as maps, lists, texts, numbers, booleans and null. Java has no reader of its own: a library of yours does as well. */
class Json {
    static final Pattern TOKEN = Pattern.compile("[{}\\[\\]]|\"(?:[^\"\\\\]++|\\\\.)*+\"|[^\\s{}\\[\\],:\"]+");
    final Matcher tokens;

    Json(String text) {
        tokens = TOKEN.matcher(text);
    }

    static Object read(String text) {
        var json = new Json(text);
        return json.value(json.next());
    }

    /** What stands below these keys, one inside the other. */
    static Object get(Object json, String... keys) {
        for (String key : keys) json = ((Map<?, ?>) json).get(key);
        return json;
    }

    static String write(Object value) {
        if (value instanceof Map<?, ?> map) {
            var fields = new StringJoiner(",", "{", "}");
            map.forEach((key, each) -> fields.add(write(key) + ":" + write(each)));
            return fields.toString();
        }
        if (value instanceof Collection<?> list) {
            var items = new StringJoiner(",", "[", "]");
            list.forEach(each -> items.add(write(each)));
            return items.toString();
        }
        if (value == null || value instanceof Number || value instanceof Boolean) return "" + value;
        String text = value.toString().replace("\\", "\\\\").replace("\"", "\\\"");
        return '"' + Pattern.compile("[\\x00-\\x1f]").matcher(text).replaceAll(c -> String.format("\\\\u%04x", (int) c.group().charAt(0))) + '"';
    }

    String next() {
        if (!tokens.find()) throw new IllegalArgumentException("the JSON ends too early");
        return tokens.group();
    }

    Object value(String token) {
        switch (token.charAt(0)) {
            case '{':
                var map = new LinkedHashMap<String, Object>();
                for (String key = next(); !key.equals("}"); key = next()) map.put(text(key), value(next()));
                return map;
            case '[':
                var list = new ArrayList<Object>();
                for (String item = next(); !item.equals("]"); item = next()) list.add(value(item));
                return list;
            case '"':
                return text(token);
            case 't':
            case 'f':
                return Boolean.valueOf(token);
            case 'n':
                return null;
            default:
                return token.matches("-?\\d{1,18}") ? (Object) Long.valueOf(token) : Double.valueOf(token);
        }
    }

    static String text(String token) {
        String inner = token.substring(1, token.length() - 1);
        return Pattern.compile("\\\\(u(.{4})|.)").matcher(inner).replaceAll(found -> {
            int place = "bfnrt".indexOf(found.group(1));
            String text = found.group(2) != null ? "" + (char) Integer.parseInt(found.group(2), 16)
                : place >= 0 ? "" + "\b\f\n\r\t".charAt(place) : found.group(1);
            return Matcher.quoteReplacement(text);
        });
    }
}
