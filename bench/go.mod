module bench

go 1.22
