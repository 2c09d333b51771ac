// An app as a server. Start it: go run receiver.go 8000
// Judge it: npx ringback challenge 1 --server http://127.0.0.1:8000
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"sync"
)

type call struct {
	CallID string `json:"callId"`
}

// what /reset says: the time, and where the REST API is
var told struct{ Now, API, ClientID, ClientSecret string }

// each challenge reads one of these
var (
	log     []call
	numbers []string
	board   map[string]any
)

// reset forgets everything.
func reset() {
	log, numbers, board = []call{}, []string{}, map[string]any{}
}

// receive handles a request of the platform. It returns the status to answer.
func receive(body []byte, headers http.Header) int {
	var event struct {
		ID, Type string
		Data     struct{ Call struct{ ID string } }
	}
	if json.Unmarshal(body, &event) != nil {
		return 400
	}
	switch event.Type {
	case "call.ended":
		// your code, such as: log = append(log, call{event.Data.Call.ID})
	}
	return 204
}

// ask reads what the platform's REST API answers, such as ask("/users", &users).
func ask(path string, into any) error {
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {told.ClientID}, "client_secret": {told.ClientSecret}}
	answer, err := http.PostForm(told.API+"/oauth/token", form)
	var issued struct {
		Token string `json:"access_token"`
	}
	if err := read(answer, err, &issued); err != nil {
		return err
	}
	request, err := http.NewRequest("GET", told.API+path, nil)
	if err != nil {
		return err
	}
	request.Header.Set("authorization", "Bearer "+issued.Token)
	answer, err = http.DefaultClient.Do(request)
	return read(answer, err, into)
}

func read(answer *http.Response, err error, into any) error {
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		return fmt.Errorf("the REST API answers %s", answer.Status)
	}
	return json.NewDecoder(answer.Body).Decode(into)
}

var one sync.Mutex

func handle(w http.ResponseWriter, r *http.Request) {
	one.Lock() // requests are handled one after the other
	defer one.Unlock()
	body, _ := io.ReadAll(r.Body)
	shown := map[string]any{"/log": log, "/numbers": numbers, "/board": board}
	state, isShown := shown[r.URL.Path]
	switch {
	case r.Method != "POST":
		w.WriteHeader(404)
	case r.URL.Path == "/hooks":
		w.WriteHeader(receive(body, r.Header))
	case r.URL.Path == "/reset": // before each world
		json.Unmarshal(body, &told)
		reset()
		w.WriteHeader(204)
	case isShown:
		json.NewEncoder(w).Encode(state)
	default:
		w.WriteHeader(404)
	}
}

func main() {
	reset()
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Args[1])
	if err != nil {
		panic(err)
	}
	os.WriteFile("receiver.pid", []byte(strconv.Itoa(os.Getpid())), 0o600) // challenge 6 restarts it by this
	fmt.Printf("http://%s\n", listener.Addr())
	http.Serve(listener, http.HandlerFunc(handle))
}
